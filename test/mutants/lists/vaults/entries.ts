import type { EditedFile } from "../../edit.ts";

const WHOLE = "packages/platform/src/vault/whole";
const TESTS = [`${WHOLE}/attacks.test.ts`, `${WHOLE}/tampering.test.ts`, `${WHOLE}/beside.test.ts`];

/** A signer's store and its knowledge of its entries. */
export const VAULT_EDITS: readonly EditedFile[] = [
  {
    path: `${WHOLE}/whole-table.ts`,
    tests: TESTS,
    edits: [
      {
        weakens: "an entry that is missing, or is there again, is noticed (INV-4)",
        find: "if (value === undefined || known === undefined) return value === known;",
        put: "if (value === undefined || known === undefined) return true;",
      },
      {
        weakens: "the leaves of a store are those of its root (INV-4)",
        find: "combined(leaves.total, root.sum).some((word) => word !== 0)",
        put: "false",
      },
      {
        weakens: "an entry that is missing in a list is noticed (INV-2)",
        find: "found.get(kind) !== count",
        put: "false",
      },
      {
        weakens: "a part of a list is of a whole one",
        find: "if (range.limit !== undefined) await this.#complement(range.gte);",
        put: "",
      },
      {
        weakens: "the check beside serving compares its sum",
        find: 'if (combined(sum, this.#root.sum).some((word) => word !== 0)) throw new AlteredStore("an entry");',
        put: "",
      },
      {
        weakens: "a check reckons in what is written behind it",
        find: "for (const walk of this.#walks) walk.landed(moves);",
        put: "",
      },
      {
        weakens: "nobody writes while entries are read: LevelDB would keep an older value above the newest",
        find: "yield await this.#between(async () => {",
        put: "yield await (async <U>(look: () => Promise<U>) => look())(async () => {",
      },
      {
        weakens: "a leaf that is read is the one that was written last (INV-4)",
        find: "throw new AlteredStore(leafName(index));\n  }\n\n  put(",
        put: "return leaf;\n  }\n\n  put(",
      },
    ],
  },
  {
    path: `${WHOLE}/walk.ts`,
    tests: TESTS,
    edits: [
      {
        weakens: "what is written ahead of a check is not reckoned in twice",
        find: " && isBefore(name, this.#next)",
        put: "",
      },
    ],
  },
  {
    path: `${WHOLE}/leaf.ts`,
    tests: TESTS,
    edits: [
      {
        weakens: "a unit stands in a leaf once: two equal ones add nothing to a sum",
        find: "if (nextHigh < high || (nextHigh === high && nextLow <= low)) return false;",
        put: "",
      },
    ],
  },
  {
    path: `${WHOLE}/opening.ts`,
    tests: TESTS,
    edits: [
      {
        weakens: "a store that knows its entries does not pass for an older one (INV-4)",
        find: "isOfWholeStore(key.value, record, bytes)",
        put: "false",
      },
    ],
  },
  {
    path: "packages/signer/src/last-words.ts",
    tests: ["packages/signer/src/last-words.test.ts"],
    edits: [
      {
        weakens:
          "a signer that ends because its store was altered says what helps, below what a write made of it too",
        find: "cause = cause.cause",
        put: "cause = undefined",
      },
      {
        weakens: "a signer that ends because its store was altered says what helps",
        find: "${message} ${ERRORS.StoreAltered.remedy}",
        put: "${message}",
      },
    ],
  },
  {
    path: "packages/platform/src/vault/vault.ts",
    tests: TESTS,
    edits: [
      {
        weakens: "a vault belongs to one identity",
        find: "bound !== undefined && Buffer.from(bound).equals(owner)",
        put: "true",
      },
    ],
  },
];
