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
        find: "await passOverTooLarge(watch, read + 1n, finalHeight);",
        put: "",
      },
      {
        weakens: "a block is too large where the node says so for minutes",
        find: "else if (verdict.stands(`too large ${read + 1n}`, watch.monotonicMs())) {",
        put: "else {",
      },
      {
        weakens: "a block that one of several nodes cannot tell now is not passed over",
        find: 'else if (!isFar || outcome !== "too large") verdict.falls();',
        put: 'else if (!isFar || outcome !== "too large") void verdict;',
      },
      {
        weakens: "a first block that is told is looked for again where the one before it is not forgotten",
        find: 'if (unread === "forgotten" && !(await isForgotten(watch, height))) return undefined;',
        put: "",
      },
      {
        weakens: "a young block that is too large, or forgotten, is waited for",
        find: "const isFar = finalHeight - read > OUT_OF_REACH_BLOCKS;",
        put: "const isFar = true;",
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
    path: `${DEPOSITS}/read-marks.ts`,
    tests: [`${DEPOSITS}/read-marks.test.ts`],
    edits: [
      {
        weakens: "marks of read blocks reach back in steps that grow no faster than the distance",
        find: "magnitudes[at] !== magnitudes[at - 1] || magnitudes[at] !== magnitudes[at + 1]",
        put: "magnitudes[at] !== magnitudes[at - 1]",
      },
    ],
  },
  {
    path: `${DEPOSITS}/read-so-far.ts`,
    tests: [watching, unread, `${DEPOSITS}/rewritten-chain.test.ts`],
    edits: [
      {
        weakens: "a rewritten chain is read again from the last block that it still holds",
        find: 'if (held !== "it") continue;',
        put: 'if (held === "nothing") continue;',
      },
      {
        weakens: "two orchestrators on two branches do not send each other back for ever",
        find: "if (memory.wentBackMs !== undefined && nowMs - memory.wentBackMs < STANDS_MS) return;",
        put: "",
      },
      {
        weakens: "a block that another orchestrator has read is compared at the head, too",
        find: "if (height === finalHeight && mark?.hash === watch.memory.held) return place;",
        put: "if (height === finalHeight) return place;",
      },
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
        find: "if (!verdict.stands(`shorter than ${place.height}`, monotonicMs())) return;",
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
        find: "if (!isTakenIn(outcome)) return { ...taken, outcome };",
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
    path: `${DEPOSITS}/held-marks.ts`,
    tests: [`${DEPOSITS}/rewritten-chain.test.ts`],
    edits: [
      {
        weakens: "reading goes back to a block that the chain is said to hold each time",
        find: '(await holdsNow(node, mark)) === "it")) ? held : "another"',
        put: 'node !== undefined)) ? held : "another"',
      },
      {
        weakens: "the next block that is read follows the last one that was",
        find: 'return next.parentHash === last.hash || (await holdsEachTime(node, last)) === "it";',
        put: "return true;",
      },
    ],
  },
  {
    path: `${DEPOSITS}/round-end.ts`,
    tests: [`${DEPOSITS}/rewritten-chain.test.ts`],
    edits: [
      {
        weakens: "blocks are read again whose chain was rewritten while they were read",
        find: "now.hash !== undefined && now.hash !== end.hash",
        put: "false",
      },
      {
        weakens: "what the second node tells is stored, also where the first has forgotten the block",
        find: "return read.hash === undefined ? marks : withMark",
        put: "return read.hash === undefined ? undefined : withMark",
        tests: [unread],
      },
    ],
  },
  {
    path: "packages/platform/src/postgres/movements/store-in-turns.ts",
    tests: [watching],
    edits: [
      {
        weakens: "deposits are stored some at a time",
        find: "from += STORED_AT_ONCE",
        put: "from += movements.length",
      },
      {
        weakens: "an event is of a deposit that was not known",
        find: "fresh.filter(({ isAnnounced }) => isAnnounced)",
        put: "rows.filter(({ isAnnounced }) => isAnnounced)",
        tests: [`${DEPOSITS}/announced-once.test.ts`],
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
    path: `${DEPOSITS}/forgotten-blocks.ts`,
    tests: [unread],
    edits: [
      {
        weakens: "nobody forgets a block that is too large",
        find: 'found.problem.code === "BlockTooLarge" ? ok(true) : found',
        put: "found",
      },
      {
        weakens: "a block is forgotten where a newer one is",
        find: "if (height <= newest) return true;",
        put: "",
      },
      {
        weakens: "the newest forgotten block is asked for in each round",
        find: "if (known >= absent) return this.#again(arrivals, absent, known, present);",
        put: "if (known >= absent) return ok(known);",
      },
      {
        weakens: "a node forgets one more block with each new one",
        find: "if (height > newest + FORGOTTEN_MEANWHILE || finalHeight - height < depth) return false;",
        put: "return false;",
      },
      {
        weakens: "no block that is younger than the forgotten ones were is one of them",
        find: " || finalHeight - height < depth",
        put: "",
      },
      {
        weakens: "what one of several nodes tells is no newest forgotten block",
        find: "const height = (absent + newest) / 2n;",
        put: "const height = newest;",
      },
      {
        weakens: "the search tries several blocks in a row: of empty ones a node tells for ever",
        find: "const TRIED_IN_A_ROW = 8n;",
        put: "const TRIED_IN_A_ROW = 1n;",
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
