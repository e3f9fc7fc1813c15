import type { ImagePart } from "@holdfast/message-schema";

/** The picture inside a base64 `data:` URL; `undefined` for any other value, as its bytes are elsewhere. */
export function dataUrlImage(url: unknown): ImagePart | undefined {
  if (typeof url !== "string" || !url.startsWith("data:")) return undefined;
  const comma = url.indexOf(",");
  const [mimeType, ...options] = url.slice("data:".length, comma).split(";");
  if (comma === -1 || !mimeType || !options.includes("base64")) return undefined;
  return { type: "image", data: url.slice(comma + 1), mimeType };
}

export function dataUrl(image: ImagePart): string {
  return `data:${image.mimeType};base64,${image.data}`;
}
