import { shape } from "@holdfast/message-schema";
import { countRoles } from "@holdfast/runtime-adapter";
import { findPairingProblems, selectTailWindow } from "@holdfast/tail-window";
import { createTokenCounter } from "@holdfast/token-counter";
import { messagePlace } from "./message-place.ts";
import { openTranscript, pickConversation } from "./open-conversation.ts";
import type { Output } from "./output.ts";
import { grouped } from "./table.ts";

export interface SelectCommandOptions {
  readonly budget: number;
  readonly anchor?: "latest-request" | undefined;
  readonly conversation: number;
  readonly dump?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `holdfast select FILE --budget N`: the newest messages that fit. */
export async function selectCommand(path: string, options: SelectCommandOptions, output: Output) {
  const file = await openTranscript(path, output);
  const { messages } = pickConversation(file, options.conversation);
  using counter = await createTokenCounter();
  const window = selectTailWindow(messages, {
    budgetTokens: options.budget,
    countTokens: (message) => counter.countMessage(message),
    shape,
    anchor: options.anchor,
  });
  const idAt = (index: number) => messages[index]?.id ?? null;
  const facts = {
    format: file.format,
    total: messages.length,
    budgetTokens: options.budget,
    tokens: window.tokens,
    startIndex: window.startIndex,
    startId: idAt(window.startIndex),
    ...(window.anchorIndex === undefined
      ? {}
      : { anchorIndex: window.anchorIndex, anchorId: idAt(window.anchorIndex) }),
    kept: countRoles(window.messages),
    omitted: window.omitted.map(({ index, reason }) => ({ index, id: idAt(index), reason })),
    shortened: window.shortened,
    shortenedIds: window.shortened.map(idAt),
    pairingProblems: findPairingProblems(window.messages, shape),
  };
  if (options.json) return output.json(options.dump ? { ...facts, messages: window.messages } : facts);

  const { user, assistant, tool } = facts.kept;
  const place = (index: number) => messagePlace(messages, index);
  const from = window.startIndex < messages.length ? `, from ${place(window.startIndex)} on` : "";
  output.line(
    `${grouped(window.tokens)} of ${grouped(options.budget)} tokens: ${user} user, ${assistant} assistant and ${tool} tool messages${from}.`,
  );
  if (window.anchorIndex !== undefined) output.line(`Ahead of them the latest request, ${place(window.anchorIndex)}.`);
  for (const { index, reason } of window.omitted)
    output.line(`Left out: ${place(index)}, ${reason.replace("_", " ")}.`);
  for (const index of window.shortened) output.line(`Shortened: ${place(index)}.`);
  if (options.dump) output.line(JSON.stringify(window.messages, null, 2));
}
