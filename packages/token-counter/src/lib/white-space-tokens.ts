/** The longest runs that are one token: of spaces, of tabs, of line feeds. A run of carriage returns has no longer one. */
const SPACES_PER_TOKEN = 80;
const TABS_PER_TOKEN = 16;
const LINE_FEEDS_PER_TOKEN = 8;
/** From a space to a tab or back. */
const TOKENS_PER_CHANGE = 0.9;
const TOKENS_PER_FURTHER_RETURN = 0.6;
/** Line feeds that are one token wherever they stand. */
const PLAIN_LINE_FEEDS = 2;

const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;

/** What stands behind a run of spaces and tabs: a `word` takes the last of them along, a `break` all that are one token. */
export type SpaceFollower = "word" | "break" | "other";

/** What a run of spaces and tabs takes on average. */
export function spaceTokens(text: string, start: number, end: number, follower: SpaceFollower): number {
  const own = follower === "word" ? end - 1 : end;
  let tabs = 0;
  let changes = 0;
  for (let at = start; at < own; at++) {
    const isTab = text.charCodeAt(at) === TAB;
    if (isTab) tabs += 1;
    if (at > start && isTab !== (text.charCodeAt(at - 1) === TAB)) changes += 1;
  }
  const tokens = (own - start - tabs) / SPACES_PER_TOKEN + tabs / TABS_PER_TOKEN + changes * TOKENS_PER_CHANGE;
  return follower === "break" ? Math.floor(tokens) : Math.ceil(tokens);
}

/** What a run of line breaks takes beyond the token that it is, or that the sign before it is. */
export function furtherBreakTokens(text: string, start: number, end: number): number {
  let returns = 0;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === CARRIAGE_RETURN) returns += 1;
  const furtherFeeds = Math.max(0, end - start - returns - PLAIN_LINE_FEEDS);
  return furtherFeeds / LINE_FEEDS_PER_TOKEN + Math.max(0, returns - 1) * TOKENS_PER_FURTHER_RETURN;
}
