import type { EditedFile } from "../../edit.ts";

const CHAINS = "packages/chains/src";

/** A long answer is read in turns and to its last digit, and a node gets no more calls at once than it may. */
export const READING_IN_TURNS_EDITS: readonly EditedFile[] = [
  {
    path: `${CHAINS}/turns/node/in-turns.ts`,
    tests: [`${CHAINS}/turns/node/in-turns.test.ts`],
    edits: [
      {
        weakens: "nothing is read where one of many cannot be read",
        find: "return isRead ? all : undefined;",
        put: "return all;",
      },
      {
        weakens: "others have their turn as the reader's surroundings say",
        find: "await turns.others();",
        put: "await others();",
      },
    ],
  },
  {
    path: `${CHAINS}/turns/node/parse-in-turns.ts`,
    tests: [`${CHAINS}/turns/node/parse-in-turns.test.ts`],
    edits: [
      {
        weakens: "nothing is no element of a list",
        find: "Array.isArray(elements) && elements.length > 0",
        put: "Array.isArray(elements)",
      },
      {
        weakens: "an integer of a piece is kept to its last digit",
        find: "hasLongNumber ? parseExactIntegers(list) : JSON.parse(list)",
        put: "JSON.parse(list)",
      },
    ],
  },
  {
    path: `${CHAINS}/answers/json-pieces.ts`,
    tests: [`${CHAINS}/answers/json-pieces.test.ts`, `${CHAINS}/turns/node/parse-in-turns.test.ts`],
    edits: [
      {
        weakens: "elements of a list are read together",
        find: "at - from < pieceBytes",
        put: "at < from",
      },
      {
        weakens: "a quote behind a backslash ends no text",
        find: "if (bytes[at] === BACKSLASH) at += 1;",
        put: "if (bytes[at] === undefined) at += 1;",
      },
    ],
  },
  {
    path: `${CHAINS}/answers/few-at-a-time.ts`,
    tests: [`${CHAINS}/answers/few-at-a-time.test.ts`],
    edits: [
      {
        weakens: "a node gets no more calls at once than it may",
        find: "Math.min(2 * count, atOnceMost)",
        put: "2 * count",
      },
    ],
  },
  {
    path: `${CHAINS}/turns/node/ours-among.ts`,
    tests: [`${CHAINS}/turns/node/ours-among.test.ts`],
    edits: [
      {
        weakens: "about an address that came often is asked once",
        find: "if (address === undefined || known.has(address)) return [];",
        put: "if (address === undefined) return [];",
      },
    ],
  },
  {
    path: `${CHAINS}/answers/exact-integers.ts`,
    tests: [`${CHAINS}/answers/exact-integers.test.ts`],
    edits: [
      {
        weakens: "each integer is kept",
        find: "return quoted === text ? parsed : JSON.parse(quoted);",
        put: "return parsed;",
      },
    ],
  },
];
