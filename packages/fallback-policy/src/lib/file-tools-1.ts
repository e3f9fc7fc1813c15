/** What a tool does to the files it names; `by-command`: its argument `command` says whether it only looks. */
export type FileEffect = "read" | "modify" | "delete" | "by-command";

/**
 * Tools of coding agents that name files, by the name as `toolKey` writes it. Frozen with the policies that use it: a
 * new tool is a new table.
 */
export const fileTools1: Readonly<Record<string, FileEffect>> = {
  read: "read",
  readfile: "read",
  readfiles: "read",
  readmanyfiles: "read",
  readmediafile: "read",
  notebookread: "read",
  view: "read",
  viewfile: "read",
  viewimage: "read",
  open: "read",
  openfile: "read",
  write: "modify",
  writefile: "modify",
  writetofile: "modify",
  create: "modify",
  createfile: "modify",
  edit: "modify",
  editfile: "modify",
  multiedit: "modify",
  notebookedit: "modify",
  replace: "modify",
  replaceinfile: "modify",
  strreplace: "modify",
  strreplacefile: "modify",
  applydiff: "modify",
  insertcontent: "modify",
  deletefile: "delete",
  editor: "by-command",
  fileeditor: "by-command",
  strreplaceeditor: "by-command",
  strreplacebasededittool: "by-command",
};

/** Arguments that hold a path or a list of paths; the first one that holds something counts. */
export const pathArguments1: readonly string[] = [
  "path",
  "file_path",
  "filePath",
  "absolute_path",
  "absolutePath",
  "notebook_path",
  "target_file",
  "filename",
  "file",
  "files",
  "paths",
];

/** A tool's name without what hosts put before it and without case and separators: `mcp__fs__Read_File` → `readfile`. */
export function toolKey(name: string): string {
  const last = name.split(/__|[.:/]/).at(-1) ?? name;
  return last.toLowerCase().replace(/[^a-z0-9]/g, "");
}
