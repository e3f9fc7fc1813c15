import type {
  AssistantContentPart,
  AssistantMessage,
  StopReason,
  ToolResultContentPart,
  UserContentPart,
} from "@holdfast/message-schema";
import { callArguments } from "./call-arguments.ts";
import { type ConversationBuilder, positionId } from "./conversation-builder.ts";
import { dataUrlImage } from "./data-url.ts";
import { isObject, type JsonObject, list, nonEmpty, text } from "./json-value.ts";
import { present } from "./optional-fields.ts";

/** What the carrier of an item knows about it. */
export interface ItemPlace {
  readonly ordinal: number;
  readonly timestamp?: number | undefined;
  /** Marks user and developer messages that no user wrote. */
  readonly isInjected?: (item: JsonObject) => boolean;
}

/** Folds the items of OpenAI's Responses interface into messages. */
export interface ResponsesFolder {
  /** Takes an item in; `false` for an item of a type it has no name for. */
  item(item: JsonObject, place: ItemPlace): boolean;
  /** Ends the assistant message under way. */
  flush(fields?: Partial<Pick<AssistantMessage, "stopReason">>): void;
}

/**
 * No item groups what the model said in one go: reasoning, texts and calls in a row are one assistant message, which
 * ends where a result or another role begins. What the provider ran itself stays opaque in its place.
 */
export function createResponsesFolder(
  builder: ConversationBuilder,
  origin: () => Partial<Pick<AssistantMessage, "model" | "provider">> = () => ({}),
): ResponsesFolder {
  let parts: AssistantContentPart[] = [];
  let opening: { ordinal: number; timestamp: number | undefined; id: unknown; phase: unknown } | undefined;

  function say(said: readonly AssistantContentPart[], item: JsonObject, place: ItemPlace): true {
    opening ??= { ordinal: place.ordinal, timestamp: place.timestamp, id: item.id, phase: item.phase };
    for (const part of said) parts.push(part);
    return true;
  }

  function flush(fields: { stopReason?: StopReason } = {}): void {
    if (!opening) return;
    const { id, phase, ordinal, timestamp } = opening;
    const stopReason = parts.some((part) => part.type === "toolCall") ? "toolUse" : "stop";
    builder.add(
      {
        id: nonEmpty(id) ?? positionId(ordinal),
        role: "assistant",
        content: parts,
        stopReason,
        ...present({ timestamp, phase: nonEmpty(phase), ...origin(), ...fields }),
      },
      ordinal,
    );
    parts = [];
    opening = undefined;
  }

  function spoken(item: JsonObject, place: ItemPlace): boolean {
    if (item.role === "assistant") return say(assistantTexts(item.content), item, place);
    const role = item.role === "developer" ? "system" : item.role;
    if (role !== "user" && role !== "system") return false;
    flush();
    const content = typeof item.content === "string" ? item.content : list(item.content).map(responsesUserPart);
    const isInjected = place.isInjected?.(item) === true || item.origin === "injected";
    const origin = isInjected ? ("injected" as const) : undefined;
    const id = nonEmpty(item.id) ?? positionId(place.ordinal);
    builder.add({ id, role, content, ...present({ origin, timestamp: place.timestamp }) }, place.ordinal);
    return true;
  }

  function answered(item: JsonObject, output: unknown, place: ItemPlace): true {
    flush();
    const { toolCallId, toolName } = builder.calls.answer({ id: nonEmpty(item.call_id) });
    builder.add(
      {
        id: nonEmpty(item.id) ?? positionId(place.ordinal),
        role: "toolResult",
        toolCallId,
        toolName,
        content: outputParts(output),
        isError: isObject(item.output) && item.output.success === false,
        timestamp: place.timestamp,
      },
      place.ordinal,
    );
    return true;
  }

  function called(name: string, args: unknown, item: JsonObject, place: ItemPlace): true {
    const id = builder.calls.ask({ name, id: nonEmpty(item.call_id) });
    const extra = present({ itemId: nonEmpty(item.id), namespace: nonEmpty(item.namespace) });
    return say([{ type: "toolCall", id, name, ...callArguments(args), ...extra }], item, place);
  }

  return {
    flush,
    item(item, place) {
      switch (item.type) {
        case undefined:
        case "message":
          return spoken(item, place);
        case "reasoning":
          return say([reasoningPart(item)], item, place);
        case "function_call":
          return called(nonEmpty(item.name) ?? "unknown", item.arguments, item, place);
        case "custom_tool_call":
          return called(nonEmpty(item.name) ?? "unknown", { input: item.input }, item, place);
        case "tool_search_call":
          return called("tool_search", item.arguments, item, place);
        case "local_shell_call":
          return called("local_shell", item.action, item, place);
        case "function_call_output":
        case "custom_tool_call_output":
        case "local_shell_call_output":
          return answered(item, item.output, place);
        case "tool_search_output":
          return answered(item, JSON.stringify(item.tools ?? []), place);
        case "compaction":
        case "item_reference":
          return say([{ type: "opaque", value: item }], item, place);
        default:
          // Calls the provider ran itself have no result that could go missing.
          return typeof item.type === "string" && item.type.endsWith("_call")
            ? say([{ type: "opaque", value: item }], item, place)
            : false;
      }
    },
  };
}

function assistantTexts(content: unknown): readonly AssistantContentPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return list(content).map((part): AssistantContentPart => {
    if (!isObject(part) || typeof part.text !== "string" || part.type !== "output_text") {
      return { type: "opaque", value: part };
    }
    return { ...part, type: "text", text: part.text };
  });
}

function responsesUserPart(part: unknown): UserContentPart {
  if (isObject(part)) {
    const isText = part.type === "input_text" || part.type === "output_text" || part.type === "text";
    if (isText && typeof part.text === "string") return { ...part, type: "text", text: part.text };
    const image = part.type === "input_image" ? dataUrlImage(part.image_url) : undefined;
    if (image) return image;
  }
  return { type: "opaque", value: part };
}

function outputParts(output: unknown): readonly ToolResultContentPart[] {
  if (typeof output === "string") return [{ type: "text", text: output }];
  if (Array.isArray(output)) return output.map(responsesUserPart);
  if (isObject(output) && typeof output.content === "string") return [{ type: "text", text: output.content }];
  return output === undefined || output === null ? [] : [{ type: "opaque", value: output }];
}

/** What can be read of the reasoning is its summary; the encrypted rest makes it valid. */
function reasoningPart(item: JsonObject): AssistantContentPart {
  const lines = [...list(item.summary), ...list(item.content)].flatMap(
    (part) => text(isObject(part) && part.text) ?? [],
  );
  return {
    type: "thinking",
    thinking: lines.join("\n\n"),
    ...present({ itemId: nonEmpty(item.id), signature: nonEmpty(item.encrypted_content) }),
  };
}
