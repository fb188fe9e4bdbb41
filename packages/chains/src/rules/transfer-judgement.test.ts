import {
  type FamilyTable,
  judgeTransfer,
  networkSchema,
  type TransferBody,
  transferBodySchema,
} from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { EVM_RULES } from "../evm/rules/rules.ts";

const families: FamilyTable = { find: (family) => (family === "Evm" ? EVM_RULES : undefined) };
const sepolia = networkSchema.parse("EthereumSepolia");
const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const SENDER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const native: TransferBody = { kind: "Native", to: address, amount: "1" };
const collectible = { kind: "Erc721", contract: TOKEN, to: address };

const judged = (network: string, body: unknown) => {
  const judgement = judgeTransfer(
    families,
    networkSchema.parse(network),
    transferBodySchema.parse(body),
    SENDER,
  );
  return judgement.ok ? "ok" : judgement.problem.code;
};

describe("a transfer", () => {
  it("of the native coin is authorised with its address in lower case", () => {
    expect(judgeTransfer(families, sepolia, native, SENDER)).toEqual({
      ok: true,
      value: {
        transfer: { kind: "Native", to: address.toLowerCase(), amount: "1" },
        asset: { symbol: "ETH", decimals: 18, verified: true },
        token: undefined,
      },
    });
  });

  it("of a token is authorised with both addresses in lower case", () => {
    const judgement = judgeTransfer(
      families,
      sepolia,
      { kind: "Erc20", contract: TOKEN, to: address, amount: "1" },
      SENDER,
    );
    expect(judgement).toMatchObject({
      ok: true,
      value: { transfer: { contract: TOKEN.toLowerCase(), to: address.toLowerCase() } },
    });
  });

  it.each([
    [native, undefined],
    [{ kind: "Erc20", contract: TOKEN, to: address, amount: "1" }, TOKEN],
    [{ kind: "Erc721", contract: TOKEN, to: address, tokenId: "1" }, TOKEN],
  ] as const)("is of the token whose contract it names: %j", (body, token) => {
    expect(EVM_RULES.tokenOf?.(body)).toBe(token);
  });

  it("of a collectible is authorised to leave this wallet and no other", () => {
    const body = { kind: "Erc721", contract: TOKEN, to: address, tokenId: "0" } as const;
    expect(judgeTransfer(families, sepolia, body, SENDER)).toEqual({
      ok: true,
      value: {
        transfer: {
          kind: "Erc721",
          contract: TOKEN.toLowerCase(),
          from: SENDER.toLowerCase(),
          to: address.toLowerCase(),
          tokenId: "0",
        },
        asset: {},
        token: TOKEN.toLowerCase(),
      },
    });
  });

  it.each([
    ["PriorityNotSupported", "Stellar", { ...native, priority: "Fast" }],
    ["PriorityNotSupported", "Algorand", { ...native, priority: "Slow" }],
    ["MemoNotSupported", "EthereumSepolia", { ...native, memo: "1" }],
    ["MemoNotSupported", "Bitcoin", { ...native, memo: "1" }],
    ["TransferKindNotSupported", "Stellar", native],
    ["TransferKindNotSupported", "EthereumSepolia", { kind: "Asa", assetId: "1", to: "A", amount: "1" }],
    ["TransferKindNotSupported", "EthereumSepolia", { kind: "Trc721", contract: "T", to: "T", tokenId: "1" }],
    ["AddressInvalid", "EthereumSepolia", { ...native, to: "0x1" }],
    ["AddressChecksum", "EthereumSepolia", { ...native, to: address.replace("5aA", "5AA") }],
    ["AmountInvalid", "EthereumSepolia", { ...native, amount: "-1" }],
    ["TokenIdInvalid", "EthereumSepolia", { ...collectible, tokenId: "01" }],
    ["TokenIdInvalid", "EthereumSepolia", { ...collectible, tokenId: (2n ** 256n).toString() }],
    ["ok", "EthereumSepolia", { ...collectible, tokenId: (2n ** 256n - 1n).toString() }],
    ["ok", "EthereumSepolia", { ...native, priority: "Fast" }],
    ["RecipientUnsuitable", "EthereumSepolia", { ...collectible, to: TOKEN, tokenId: "1" }],
    ["ok", "EthereumSepolia", { ...collectible, to: TOKEN, tokenId: "1", sendAnyway: true }],
    ["AddressInvalid", "EthereumSepolia", { ...native, to: `0x${"0".repeat(40)}`, sendAnyway: true }],
  ])("is answered %s on %s for %j", (code, network, body) => {
    expect(judged(network, body)).toBe(code);
  });

  it.each(["Native", "Asa", "Erc20", "Erc721", "Sep41", "Spl", "Spl2022", "Trc10", "Trc20", "Trc721"])(
    "of kind %s with a field that it does not have is not a body",
    (kind) => {
      const fields = {
        assetId: "1",
        contract: "1",
        issuer: "1",
        assetCode: "1",
        tokenId: "1",
        mint: "1",
        to: "1",
        amount: "1",
      };
      expect(transferBodySchema.safeParse({ kind, ...fields }).success).toBe(false);
    },
  );

  it.each(["\u0000", "\ud800", ""])("whose externalId is %j is not a body", (externalId) => {
    expect(transferBodySchema.safeParse({ ...native, externalId }).success).toBe(false);
  });
});
