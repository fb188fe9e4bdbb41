import { describeExactBytes, describeTransfers } from "../../rules/testing/judgement-suite.ts";
import { algorandTransactionSchema, algorandTransferSchema } from "./act.ts";
import { ALGORAND_RULES } from "./rules.ts";

const SENDER = "BH55E5RMBD4GYWXGX5W5PJ5JAHPGM5OXKDQH5DC4O2MGI7NW4H6VOE4CP4";
const TO = "PNWOET7LLOWMBMLE4KOCELCX6X3D3Q4H2Q4QJASYIEOF7YIPPQBG3YQ5YI";
const LARGEST = "18446744073709551615";
const BEYOND = "18446744073709551616";
const FACTS = { chain: "Algorand", rules: ALGORAND_RULES, network: "AlgorandTestnet", sender: SENDER };
const native = { kind: "Native", to: TO, amount: "1500000" };
const asa = { kind: "Asa", assetId: "10458941", to: TO, amount: "5" };

describeTransfers({
  ...FACTS,
  schema: algorandTransferSchema,
  judged: [
    [
      native,
      {
        transfer: { kind: "Native", from: SENDER, to: TO, amount: "1500000" },
        asset: { symbol: "ALGO", decimals: 6, verified: true },
        token: undefined,
      },
    ],
    // other facts of an asset are known to the chain alone
    [asa, { transfer: { ...asa, from: SENDER }, asset: {}, token: "10458941" }],
  ],
  taken: [
    { ...native, amount: LARGEST },
    { ...asa, assetId: LARGEST },
  ],
  answered: [
    ["AmountInvalid amount", { ...native, amount: "0" }],
    ["AmountInvalid amount", { ...native, amount: "-1" }],
    ["AmountInvalid amount", { ...native, amount: "1.5" }],
    ["AmountInvalid amount", { ...native, amount: "01" }],
    ["AmountInvalid amount", { ...native, amount: BEYOND }],
    ["AmountInvalid amount", { ...asa, amount: "0" }],
    ["AmountInvalid amount", { ...asa, amount: BEYOND }],
    ["TokenIdInvalid assetId", { ...asa, assetId: "0" }],
    ["TokenIdInvalid assetId", { ...asa, assetId: "0x5" }],
    ["TokenIdInvalid assetId", { ...asa, assetId: "007" }],
    ["TokenIdInvalid assetId", { ...asa, assetId: BEYOND }],
    ["AddressInvalid to", { ...native, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid to", { ...native, to: TO.toLowerCase() }],
    ["AddressChecksum to", { ...native, to: `A${TO.slice(1)}` }],
    ["AddressChecksum to", { ...asa, to: `A${TO.slice(1)}` }],
    ["AddressInvalid to", { ...native, to: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ" }],
    ["PriorityNotSupported priority", { ...native, priority: "Fast" }],
    ["MemoNotSupported memo", { ...native, memo: "1" }],
    ["TransferKindNotSupported kind", { kind: "Erc20", contract: TO, to: TO, amount: "1" }],
    ["TransferKindNotSupported kind", { kind: "Trc10", tokenId: "1", to: TO, amount: "1" }],
  ],
  unreadable: ["priority", "memo", "closeRemainderTo", "note", "from"].map((field) => ({
    ...asa,
    [field]: "x",
  })),
  asset: { symbol: "USDC", decimals: 6 },
  shown: [
    [asa, { kind: "AsaTransfer", assetId: "10458941", value: "5", symbol: "USDC", decimals: 6 }],
    [native, undefined],
  ],
  tokens: [["7", { kind: "Asa", assetId: "7" }]],
  notTokens: [],
});

describeExactBytes({
  ...FACTS,
  transaction: algorandTransactionSchema,
  schemes: ["FROST-Ed25519"],
  unsigned: [
    { body: { kind: "Transaction", transaction: "0xAB" }, on: "Solana" },
    { body: { kind: "Eip191", message: "00" } },
  ],
});
