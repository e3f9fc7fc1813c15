type Fields = Readonly<Record<string, unknown>>;

const stopReasons = ["stop", "toolUse", "length", "error", "aborted", "deferred", "refusal"];
const neverSent = ["error", "aborted", "deferred"];
const partTypesByRole: Readonly<Record<string, readonly string[]>> = {
  system: ["text", "image", "opaque"],
  user: ["text", "image", "opaque"],
  assistant: ["text", "thinking", "toolCall", "opaque"],
  toolResult: ["text", "image", "opaque"],
};

/** What is wrong with one message of a request, taken alone. Nothing is assumed of what is handed in. */
export function checkMessage(message: unknown): string[] {
  if (!isObject(message)) return ["is no object"];
  const role = message.role;
  const allowedParts = typeof role === "string" ? partTypesByRole[role] : undefined;
  if (typeof role !== "string" || allowedParts === undefined) return [`has the role ${JSON.stringify(role)}`];
  return [
    ...(isName(message.id) ? [] : ["has no id"]),
    ...checkOwnFields(role, message),
    ...checkContent(role, message.content, allowedParts),
  ];
}

function checkOwnFields(role: string, message: Fields): string[] {
  const problems: string[] = [];
  if (role === "assistant") {
    const reason = message.stopReason;
    if (typeof reason !== "string" || !stopReasons.includes(reason)) {
      problems.push(`has the stop reason ${JSON.stringify(reason)}`);
    } else if (neverSent.includes(reason)) {
      problems.push(`ended in "${reason}" and is sent`);
    }
  }
  if (role === "toolResult") {
    if (!isName(message.toolCallId)) problems.push("is a tool result without a call id");
    if (typeof message.toolName !== "string") problems.push("is a tool result without a tool name");
    if (typeof message.isError !== "boolean") problems.push("is a tool result without an error flag");
  }
  return problems;
}

function checkContent(role: string, content: unknown, allowedParts: readonly string[]): string[] {
  if (typeof content === "string") {
    if (role !== "system" && role !== "user") return ["has a bare text for content"];
    return isBlank(content) ? ["has blank content"] : [];
  }
  if (!Array.isArray(content)) return ["has content that is no list of parts"];
  if (content.length === 0) return ["has empty content"];
  const problems = content.flatMap((part: unknown, index) =>
    checkPart(part, allowedParts).map((problem) => `part ${index} ${problem}`),
  );
  const isReasoningOnly = content.every((part: unknown) => isObject(part) && part.type === "thinking");
  return isReasoningOnly ? [...problems, "holds only reasoning"] : problems;
}

function checkPart(part: unknown, allowedParts: readonly string[]): string[] {
  if (!isObject(part)) return ["is no object"];
  const type = part.type;
  if (typeof type !== "string" || !allowedParts.includes(type)) return [`is of type ${JSON.stringify(type)}`];
  switch (type) {
    case "text":
      if (typeof part.text !== "string") return ["is a text without text"];
      return isBlank(part.text) ? ["is a blank text"] : [];
    case "thinking": {
      const isSound =
        typeof part.thinking === "string" && (part.signature === undefined || typeof part.signature === "string");
      return isSound ? [] : ["is reasoning of another kind than text"];
    }
    case "image":
      return isName(part.data) && isName(part.mimeType) ? [] : ["is a picture without data or kind"];
    case "toolCall":
      return [
        ...(isName(part.id) && isName(part.name) ? [] : ["is a call without an id or a name"]),
        ...(isObject(part.arguments) ? [] : ["is a call whose arguments are no object"]),
      ];
    default:
      return [];
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
