import { open } from "node:fs/promises";

/** What a file begins with, 64 bytes at most: enough to tell what kind it is of. */
export async function firstBytes(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
