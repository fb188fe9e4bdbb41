import type { EditedFile } from "../../edit.ts";

const DEPOSITS = "packages/orchestrator/src/deposits";
const watching = `${DEPOSITS}/watch-deposits.test.ts`;
const unread = `${DEPOSITS}/unread-blocks.test.ts`;

/** The rounds that read deposits stop at no block, skip none for a passing fault, and wait for nobody's slow token. */
export const DEPOSIT_ROUND_EDITS: readonly EditedFile[] = [
  {
    path: `${DEPOSITS}/watch-deposits.ts`,
    tests: [watching, unread],
    edits: [
      {
        weakens: "reading goes on behind a block that is too large",
        find: "else await passOverTooLarge(watch, read + 1n, finalHeight);",
        put: "",
      },
      {
        weakens: "blocks are passed over where the node says so for minutes",
        find: "if (!watch.memory.verdict.stands(`${outcome} ${read + 1n}`, watch.monotonicMs())) return read;",
        put: "",
      },
      {
        weakens: "a young block that is too large, or forgotten, is waited for",
        find: "if (finalHeight - read <= OUT_OF_REACH_BLOCKS) return read;",
        put: "",
      },
      {
        weakens: "the blocks of a time without wallets are not read",
        find: "known ? await passEmptyTimes(watch, known, finalHeight) : await begin(watch, finalHeight)",
        put: "known ?? (await begin(watch, finalHeight))",
      },
      {
        weakens: "reading never goes back for a time without wallets",
        find: " || found.value <= last.height",
        put: "",
      },
    ],
  },
  {
    path: `${DEPOSITS}/standing-verdict.ts`,
    tests: [`${DEPOSITS}/standing-verdict.test.ts`],
    edits: [
      { weakens: "a verdict stands after minutes", find: "nowMs - this.#sinceMs >= STANDS_MS && ", put: "" },
      { weakens: "a verdict stands after many rounds", find: " && this.#rounds >= STANDS_ROUNDS", put: "" },
      {
        weakens: "another verdict begins anew",
        find: "if (this.#verdict !== verdict)",
        put: "if (this.#verdict === undefined)",
      },
    ],
  },
  {
    path: `${DEPOSITS}/read-so-far.ts`,
    tests: [watching, unread],
    edits: [
      {
        weakens: "a node that reads its chain anew is waited for",
        find: "if (catchingUp !== undefined && (!catchingUp.ok || catchingUp.value)) {",
        put: "if (catchingUp?.ok === false) {",
      },
      {
        weakens: "a node that does not say whether it reads its chain is waited for",
        find: "(!catchingUp.ok || catchingUp.value)",
        put: "catchingUp.ok && catchingUp.value",
      },
      {
        weakens: "a chain is read anew where its node says each time that it is short",
        find: "if (!isShort) return undefined;",
        put: "",
      },
    ],
  },
  {
    path: `${DEPOSITS}/take-in.ts`,
    tests: [watching, unread],
    edits: [
      {
        weakens: "nothing is taken in of the blocks behind one that the node does not tell",
        find: 'if (outcome !== "empty" && outcome !== "stored") return { stands, read, outcome };',
        put: "",
      },
      {
        weakens: "a block at which the node fails is waited for, however old it is",
        find: 'arrivals.problem.code === "BlockTooLarge" ? "too large" : "unread"',
        put: '"too large"',
      },
    ],
  },
  {
    path: `${DEPOSITS}/pass-over.ts`,
    tests: [watching, unread],
    edits: [
      {
        weakens: "a block is passed over as too large only where the node tells of its final block",
        find: "if (final?.ok !== true || final.value === undefined) return;",
        put: "",
      },
      {
        weakens: "a final block that the node does not have proves nothing of a block that is too large",
        find: "final?.ok !== true || final.value === undefined",
        put: "final?.ok !== true",
      },
    ],
  },
  {
    path: `${DEPOSITS}/store-arrivals.ts`,
    tests: [watching],
    edits: [
      {
        weakens: "deposits are stored some at a time",
        find: "from += STORED_AT_ONCE",
        put: "from += paid.length",
      },
      {
        weakens: "an event is of a deposit that was not known",
        find: "fresh.flatMap((deposit)",
        put: "deposits.flatMap((deposit)",
      },
    ],
  },
  {
    path: `${DEPOSITS}/where-reading-begins.ts`,
    tests: [`${DEPOSITS}/where-reading-begins.test.ts`],
    edits: [
      {
        weakens: "the clocks of wallets and of blocks may differ",
        find: "sinceMs - CLOCKS_MS",
        put: "sinceMs",
      },
      {
        weakens: "reading begins before anybody could pay the oldest wallet",
        find: 'if (when.value === "since") return lookBack(node, usual, sinceMs, search, name);',
        put: "",
      },
      {
        weakens: "what comes now is not held up by what came long ago",
        find: "if (dayAgoMs <= oldestMs) return",
        put: "if (dayAgoMs !== oldestMs) return",
      },
      { weakens: "a search for dates goes on from its bounds", find: "search.of(name) ?? {", put: "{" },
    ],
  },
  {
    path: `${DEPOSITS}/where-reading-begins.ts`,
    tests: [unread],
    edits: [
      {
        weakens: "no block is left out where the chain's clock stands",
        find: 'if (final.value !== "since") return ok(undefined);',
        put: "",
      },
      {
        weakens: "an empty time ends well before the oldest wallet",
        find: "oldestMs - WELL_BEFORE_MS",
        put: "oldestMs",
      },
    ],
  },
  {
    path: `${DEPOSITS}/first-known-block.ts`,
    tests: [watching, unread],
    edits: [
      {
        weakens: "a block that is too large ends what the node has forgotten",
        find: 'found.problem.code === "BlockTooLarge" ? ok(true) : found',
        put: "found",
      },
      {
        weakens: "no old block of which the node tells is passed over for a forgotten one beside it",
        find: "high: undefined, step: 1n",
        put: "high: undefined, step: 1_000n",
      },
      {
        weakens: "the search goes on where the node failed in it",
        find: "return kept ?? { low",
        put: "return { low",
      },
    ],
  },
  {
    path: `${DEPOSITS}/described-tokens.ts`,
    tests: [`${DEPOSITS}/described-tokens.test.ts`],
    edits: [
      {
        weakens: "a token is asked once an hour",
        find: "(known.get(token)?.untilMs ?? 0) <= nowMs",
        put: "known.size >= 0",
      },
      {
        weakens: "blocks wait for tokens for a part of the time",
        find: "budget.spend(monotonicMs());",
        put: "",
      },
      { weakens: "tokens are asked some at a time", find: "asked.size < ASKED_AT_ONCE && ", put: "" },
      { weakens: "a token that is asked already is not asked again", find: " && !asked.has(token)", put: "" },
    ],
  },
];
