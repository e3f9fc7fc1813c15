import { gateway, type LanguageModel, wrapLanguageModel } from "ai";

/**
 * The model without its warnings. The SDK prints them to the console, they may quote what a provider said, and no text of
 * a provider belongs in a log. A model named by its id alone is looked up where the SDK would look it up.
 */
export function silentLanguageModel(languageModel: LanguageModel): LanguageModel {
  const model =
    typeof languageModel === "string"
      ? (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(languageModel)
      : languageModel;
  switch (model.specificationVersion) {
    case "v3":
      return wrapLanguageModel({
        model,
        middleware: {
          specificationVersion: "v3",
          wrapGenerate: async ({ doGenerate }) => ({ ...(await doGenerate()), warnings: [] }),
        },
      });
    case "v2":
      return {
        specificationVersion: "v2",
        provider: model.provider,
        modelId: model.modelId,
        supportedUrls: model.supportedUrls,
        doGenerate: async (options) => ({ ...(await model.doGenerate(options)), warnings: [] }),
        doStream: (options) => model.doStream(options),
      };
    default:
      // Of a specification that this version of the SDK does not know: it says so itself.
      return model satisfies never;
  }
}
