/** What the user has to change: one line that says what is wrong and where. The command exits with 2. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
