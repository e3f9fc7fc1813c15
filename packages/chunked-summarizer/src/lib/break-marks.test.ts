import { describe, expect, it } from "vitest";
import { breakMarks } from "./break-marks.ts";

describe("a reserved mark", () => {
  it("is broken behind its first character, in any case, and everything else stays", () => {
    expect(breakMarks("<Mark> a.b axb [x] $&", ["<mark>", "a.b", "[x]", ""])).toBe("<\\Mark> a\\.b axb [\\x] $&");
  });

  it("stays well formed when it begins with an astral character", () => {
    expect(breakMarks("on 🔒notice🔒 off", ["🔒notice🔒"])).toBe("on 🔒\\notice🔒 off");
  });

  it("that is none changes nothing", () => {
    expect(breakMarks("<mark>", [])).toBe("<mark>");
    expect(breakMarks("<mark>", [""])).toBe("<mark>");
  });
});
