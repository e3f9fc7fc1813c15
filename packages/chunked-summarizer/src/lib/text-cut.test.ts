import { describe, expect, it } from "vitest";
import { nextCut } from "./text-cut.ts";

/** Cuts the whole text and shows the parts; `|` stands for an exact cut, `~` for one that is not. */
function cut(text: string, size: number, maxSize = 4 * size): string {
  let shown = "";
  for (let start = 0; start < text.length; ) {
    const { end, exact } = nextCut(text, start, { size, maxSize });
    shown += text.slice(start, end) + (end === text.length ? "" : exact ? "|" : "~");
    start = end;
  }
  return shown;
}

describe("a text is cut", () => {
  it("at a line start that is near, else before a space", () => {
    expect(cut("one two\nthree four five six", 10)).toBe("one two\n|three four| five six");
  });

  it("never where a newline and what follows could be one piece", () => {
    expect(cut("aaaaaaa;\n/bbbbbbb", 9)).toBe("aaaaaaa|;\n/bbbbbbb");
    expect(cut("aaaaaaa;\n\nbbbbbbb", 9)).toBe("aaaaaaa|;\n\nbbbbbbb");
  });

  it("between kinds of characters where there is no space, but not before an apostrophe or beside a mark", () => {
    expect(cut('{"name":"value"}', 8)).toBe('{"name|":"value|"}');
    expect(cut("aaaadon't", 8)).toBe("aaaadon't");
    expect(cut("aaaae\u0301e\u0301!x", 6)).toBe("aaaae\u0301e\u0301!x");
  });

  it("behind a run that is longer than a part, up to the longest run", () => {
    expect(cut("xxxxxxxxxxxx yy", 4)).toBe("xxxxxxxxxxxx| yy");
    expect(cut("xxxxxxxxxxxx yy", 4, 6)).toBe("xxxxxx~xxxxxx| yy");
  });

  it("never inside a surrogate pair", () => {
    expect(cut("🙂🙂🙂🙂", 3, 3)).toBe("🙂🙂~🙂🙂");
  });

  it("in one part when it fits", () => {
    expect(cut("one two", 7)).toBe("one two");
  });
});
