import type { EditedFile } from "../../edit.ts";

const SIGNER = "packages/signer/src";

/** A signer as it is assembled from its parts, and the operations that a server or a simulated world serves. */
export const ASSEMBLED_SIGNER_EDITS: readonly EditedFile[] = [
  {
    path: `${SIGNER}/delivery.ts`,
    tests: [`${SIGNER}/delivery.test.ts`],
    edits: [
      {
        weakens: "an envelope is of the peer that delivers it",
        find: '    if (envelope.value.from !== from) return "of another sender";\n',
        put: "",
      },
      {
        weakens: "a peer delivers so many envelopes at once, and no more",
        find: "list.length > ENVELOPES_PER_REQUEST_MAX || ",
        put: "",
      },
      {
        weakens: "a signer with too much to do takes no envelopes",
        find: '    if (isBusy()) return "busy";\n',
        put: "",
      },
    ],
  },
  {
    path: `${SIGNER}/control.ts`,
    tests: [`${SIGNER}/control.test.ts`],
    edits: [
      {
        weakens: "a call that has its last report hears no more",
        find: "    const end = (report: StreamReport): void => {\n      this.#calls.delete(call);\n",
        put: "    const end = (report: StreamReport): void => {\n",
      },
      {
        weakens: "a signer that stops aborts what its callers began",
        find: '      this.#dispatch({ kind: "call-closed", call: id });\n',
        put: "",
      },
      {
        weakens: "calls that wait for an answer are bounded",
        find: 'return this.#calls.size >= CALLS_MAX ? problem("TooManySessions") : undefined;',
        put: "return undefined;",
      },
      {
        weakens: "a question is answered by a report of its kind alone",
        find: "report is AnswerOf<Kind> =>\n  report.kind === kind;",
        put: 'report is AnswerOf<Kind> =>\n  report.kind === kind || report.kind === "key-state";',
      },
    ],
  },
  {
    path: `${SIGNER}/assembly/assembly.ts`,
    tests: [`${SIGNER}/assembly/assembly.test.ts`],
    edits: [
      {
        weakens: "the life of a signer follows the signs that it was handed, not those of this machine",
        find: "new LifeWatch(world, parts.bootId)",
        put: "new LifeWatch(world)",
      },
      {
        weakens: "a signer is ready when its peers have confirmed its store",
        find: "() => isStoreConfirmed(shell.state),",
        put: "() => true,",
      },
      {
        weakens: "a store that is refused is closed",
        find: "    await store.close();\n    return first;",
        put: "    return first;",
        tests: [`${SIGNER}/newer-store.test.ts`],
      },
    ],
  },
];
