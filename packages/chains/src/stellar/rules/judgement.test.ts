import { describe, expect, it } from "vitest";
import { describeExactBytes, describeTransfers } from "../../rules/testing/judgement-suite.ts";
import { stellarTransactionSchema, stellarTransferSchema } from "./act.ts";
import { parseStellarToken } from "./asset.ts";
import { STELLAR_RULES } from "./rules.ts";

const SENDER = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const TO = "GBTL47RTFR5EKMZ5TUFH2VPQKXY4L3YGVWTNM2MPXCYPWOIMI45A5VXT";
const ISSUER = "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN";
const CONTRACT = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";
const LARGEST = "9223372036854775807";
const BEYOND = "9223372036854775808";
const TOKEN = `USDC:${ISSUER}`;
const FACTS = { chain: "Stellar", rules: STELLAR_RULES, network: "StellarTestnet", sender: SENDER };
const native = { kind: "Native", to: ISSUER, amount: "15000000" };
const sep41 = { kind: "Sep41", issuer: ISSUER, assetCode: "USDC", to: SENDER, amount: "5" };
const asset = { kind: "Sep41", assetCode: "USDC", issuer: ISSUER };

describeTransfers({
  ...FACTS,
  schema: stellarTransferSchema,
  judged: [
    [
      { ...native, memo: "42" },
      {
        transfer: { ...native, from: SENDER, memo: { kind: "id", id: "42" } },
        asset: { symbol: "XLM", decimals: 7, verified: true },
        token: undefined,
      },
    ],
    [sep41, { transfer: { ...sep41, from: SENDER }, asset: {}, token: TOKEN }],
  ],
  taken: [
    native,
    { ...native, amount: LARGEST, memo: "ab".repeat(32) },
    { ...sep41, amount: LARGEST, assetCode: "ABCDEFGHIJKL", memo: "Rent" },
    { ...native, to: CONTRACT },
    { ...sep41, to: CONTRACT },
    { ...sep41, to: CONTRACT, memo: "" },
  ],
  answered: [
    ["AmountInvalid amount", { ...native, amount: "0" }],
    ["AmountInvalid amount", { ...native, amount: "-1" }],
    ["AmountInvalid amount", { ...native, amount: "1.5" }],
    ["AmountInvalid amount", { ...native, amount: BEYOND }],
    ["AmountInvalid amount", { ...sep41, amount: "01" }],
    ["AmountInvalid amount", { ...sep41, amount: BEYOND }],
    ["TokenIdInvalid assetCode", { ...sep41, assetCode: "ABCDEFGHIJKLM" }],
    ["TokenIdInvalid assetCode", { ...sep41, assetCode: "US-D" }],
    ["TokenIdInvalid assetCode", { ...sep41, assetCode: "ÄÖ" }],
    ["AddressInvalid issuer", { ...sep41, issuer: CONTRACT }],
    ["AddressChecksum issuer", { ...sep41, issuer: ISSUER.replace("GA5Z", "GA5Y") }],
    ["AddressInvalid to", { ...native, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid to", { ...native, to: ISSUER.toLowerCase() }],
    ["MemoInvalid memo", { ...native, to: CONTRACT, memo: "1" }],
    ["AddressChecksum to", { ...native, to: TO }],
    ["AddressChecksum to", { ...sep41, to: TO }],
    ["MemoInvalid memo", { ...native, memo: "a".repeat(29) }],
    ["MemoInvalid memo", { ...sep41, memo: "a".repeat(63) }],
    ["MemoInvalid memo", { ...sep41, to: CONTRACT, memo: "1" }],
    ["PriorityNotSupported priority", { ...native, priority: "Fast" }],
    ["TransferKindNotSupported kind", { kind: "Erc20", contract: TO, to: TO, amount: "1" }],
    ["TransferKindNotSupported kind", { kind: "Asa", assetId: "1", to: TO, amount: "1" }],
  ],
  unreadable: [
    ...["priority", "note", "from"].map((field) => ({ ...sep41, [field]: "x" })),
    ...["with space", "ä", "a".repeat(65)].map((memo) => ({ ...sep41, memo })),
  ],
  // all assets have the chain's decimals
  asset: {},
  shown: [
    [sep41, { ...asset, kind: "Sep41Transfer", value: "5", symbol: "USDC", decimals: 7 }],
    [native, undefined],
  ],
  tokens: [[TOKEN, asset]],
  notTokens: ["USDC"],
});

describe("an asset of Stellar", () => {
  it("is spelt by its code and its issuer", () => {
    expect(parseStellarToken(TOKEN)).toEqual({ code: "USDC", issuer: ISSUER });
    expect(STELLAR_RULES.spell(TOKEN)).toBe(TOKEN);
    for (const text of ["", "USDC", "USDC:", `:${ISSUER}`, `${TOKEN}:x`, `USDC:${CONTRACT}`, "U$:x"]) {
      expect(parseStellarToken(text)).toBeUndefined();
    }
  });
});

describeExactBytes({
  ...FACTS,
  transaction: stellarTransactionSchema,
  schemes: ["FROST-Ed25519"],
  unsigned: [
    { body: { kind: "Transaction", transaction: "0xAB" }, on: "Solana" },
    { body: { kind: "Eip191", message: "00" } },
  ],
});
