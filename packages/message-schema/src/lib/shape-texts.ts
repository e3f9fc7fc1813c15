import type { Message } from "./message.ts";
import type { ImagePart, OpaquePart, TextPart, ToolCallPart } from "./parts.ts";

/** Where a text of a message stands. The two kinds of picture are shown as `""`, and a non-empty answer replaces them. */
export type TextPlace = "resultPicture" | "result" | "text" | "argument" | "picture";

type EditText = (place: TextPlace, text: string) => string;

/** Shows every text of the message in a fixed order and puts back what `edit` makes of it; reasoning is never shown. */
export function editTexts(message: Message, edit: EditText): Message {
  switch (message.role) {
    case "system":
    case "user": {
      if (typeof message.content === "string") {
        const content = edit("text", message.content);
        return content === message.content ? message : { ...message, content };
      }
      const content = mapSame(message.content, (part) => editPart(part, edit, "text", "picture"));
      return content === message.content ? message : { ...message, content };
    }
    case "assistant": {
      const content = mapSame(message.content, (part) => {
        if (part.type === "thinking") return part;
        return part.type === "toolCall" ? editCall(part, edit) : editPart(part, edit, "text", "picture");
      });
      return content === message.content ? message : { ...message, content };
    }
    case "toolResult": {
      const content = mapSame(message.content, (part) => editPart(part, edit, "result", "resultPicture"));
      return content === message.content ? message : { ...message, content };
    }
  }
}

/** `map` that gives the array itself back when no element changed, so that untouched messages stay the same objects. */
function mapSame<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

/** A part whose size is not in its text (a picture, a part without a name) is a picture here. */
function editPart<P extends TextPart | ImagePart | OpaquePart>(
  part: P,
  edit: EditText,
  textPlace: TextPlace,
  picturePlace: TextPlace,
): P | TextPart {
  if (part.type === "text") {
    const text = edit(textPlace, part.text);
    return text === part.text ? part : { ...part, text };
  }
  const text = edit(picturePlace, "");
  return text === "" ? part : { type: "text", text };
}

function editCall(part: ToolCallPart, edit: EditText): ToolCallPart {
  const edited = editValues(part.arguments, edit);
  return edited === part.arguments ? part : { ...part, arguments: edited };
}

/** The object with every string in it edited; keys stay. The object itself when no string changed. */
function editValues(object: Readonly<Record<string, unknown>>, edit: EditText): Readonly<Record<string, unknown>> {
  const edited = Object.entries(object).map(([key, value]) => [key, editStrings(value, edit)] as const);
  return edited.every(([key, value]) => value === object[key]) ? object : Object.fromEntries(edited);
}

function editStrings(value: unknown, edit: EditText): unknown {
  if (typeof value === "string") return edit("argument", value);
  if (Array.isArray(value)) {
    // A list of nothing but numbers is cut as the text it is.
    if (!value.every((item) => typeof item === "number"))
      return mapSame(value, (item: unknown) => editStrings(item, edit));
    const json = JSON.stringify(value);
    const text = edit("argument", json);
    return text === json ? value : text;
  }
  return typeof value === "object" && value !== null
    ? editValues(value as Readonly<Record<string, unknown>>, edit)
    : value;
}
