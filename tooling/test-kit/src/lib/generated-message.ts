/** The project's message schema in the kit's own words: values of it are values of the schema's `Message`. */
export type GeneratedMessage =
  | {
      readonly id: string;
      readonly role: "system" | "user";
      readonly content: string | readonly (GeneratedText | GeneratedImage)[];
      readonly origin?: "injected";
    }
  | {
      readonly id: string;
      readonly role: "assistant";
      readonly content: readonly (GeneratedText | GeneratedThinking | GeneratedToolCall)[];
      readonly stopReason: "stop" | "toolUse" | "length" | "error" | "aborted" | "deferred" | "refusal";
    }
  | {
      readonly id: string;
      readonly role: "toolResult";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly content: readonly (GeneratedText | GeneratedImage)[];
      readonly isError: boolean;
    };

export interface GeneratedText {
  readonly type: "text";
  readonly text: string;
}

export interface GeneratedImage {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

export interface GeneratedThinking {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature?: string;
}

export interface GeneratedToolCall {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}
