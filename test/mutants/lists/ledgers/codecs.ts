import type { EditedFile } from "../../edit.ts";

const LEDGERS = "packages/ledgers/src";

/** The checks that ledgers add to the codecs of the chains' SDKs. */
export const LEDGER_CODEC_EDITS: readonly EditedFile[] = [
  {
    path: `${LEDGERS}/solana/wire/canonical.ts`,
    tests: [`${LEDGERS}/solana/refusals.test.ts`],
    edits: [
      {
        weakens: "a Solana ledger takes no bytes that the SDK would not write",
        find: "if (isSame(codec.encode(value), bytes)) return value;",
        put: "if (codec.encode(value).length >= 0) return value;",
      },
    ],
  },
  {
    path: `${LEDGERS}/bitcoin/transaction/decode.ts`,
    tests: [`${LEDGERS}/bitcoin/refusals.test.ts`],
    edits: [
      {
        weakens: "a Bitcoin ledger reads no transaction without inputs",
        find: "raw === undefined || raw.inputs.length === 0",
        put: "raw === undefined",
      },
    ],
  },
  {
    path: `${LEDGERS}/stellar/xdr/codec.ts`,
    tests: [`${LEDGERS}/stellar/refusals.test.ts`],
    edits: [
      {
        weakens: "a Stellar ledger reads no arm that it does not carry out",
        find: "const arm = byName.get(chosen);",
        put: "const arm = byName.get(chosen) ?? all[0];",
      },
    ],
  },
];
