/** How a line hangs on the one before it in the tree. */
export interface ClaudeLink {
  readonly uuid: string;
  readonly parent: string | null;
  readonly isRequest: boolean;
}

/**
 * The lines the user went back on. Forks of tool results and of progress lines are no branches; two requests with one
 * parent are: all but the newest, and what grew out of them, are gone.
 */
export function rewoundUuids(links: readonly ClaudeLink[]): ReadonlySet<string> {
  const newestRequest = new Map<string, string>();
  for (const { uuid, parent, isRequest } of links) {
    if (isRequest && parent !== null) newestRequest.set(parent, uuid);
  }
  const rewound = new Set<string>();
  for (const { uuid, parent, isRequest } of links) {
    if (parent === null) continue;
    if (rewound.has(parent) || (isRequest && newestRequest.get(parent) !== uuid)) rewound.add(uuid);
  }
  return rewound;
}
