import {
  ERRORS,
  judgeSignature,
  judgeTransfer,
  networkSchema,
  signatureBodySchema,
  transferBodySchema,
} from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { FAMILIES } from "../registry.ts";

const SENDERS: Readonly<Record<string, string>> = {
  EthereumSepolia: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  BitcoinTestnet3: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
  Algorand: "7777777777777777777777777777777777777777777777777774MSJUVU",
  Solana: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
  Stellar: "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
  Tron: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  XrpLedger: "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe",
};

const refused = (network: string, body: object) => {
  const judged = judgeTransfer(
    FAMILIES,
    networkSchema.parse(network),
    transferBodySchema.parse(body),
    SENDERS[network] ?? "",
  );
  if (judged.ok) throw new Error("it is taken");
  const { code, message } = judged.problem;
  return { code, message, remedy: ERRORS[code].remedy };
};

const NETWORKS_OF_ALL = Object.keys(SENDERS);
const TO: Readonly<Record<string, string>> = { ...SENDERS, Tron: "TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs" };

describe("the refusal of a transfer says what is wrong in every family", () => {
  it.each([
    ["EthereumSepolia", "0x0000000000000000000000000000000000000000"],
    ["Algorand", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ"],
    ["Solana", "11111111111111111111111111111111"],
    ["Stellar", "GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF"],
    ["Tron", "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"],
    ["XrpLedger", "rrrrrrrrrrrrrrrrrrrrrhoLvTp"],
  ])("INV-9 nothing is sent to nobody's address on %s", (network, to) => {
    const { code, message } = refused(network, { kind: "Native", to, amount: "10000000" });
    expect([code, message]).toEqual(["AddressInvalid", expect.stringContaining("belongs to nobody")]);
  });

  it.each([
    [{ kind: "Erc20", contract: SENDERS["EthereumSepolia"], amount: "1" }],
    [{ kind: "Erc721", contract: SENDERS["EthereumSepolia"], tokenId: "1" }],
  ])("INV-9 nor is a token of the EVM: %j", (body) => {
    const to = `0x${"0".repeat(40)}`;
    expect(refused("EthereumSepolia", { ...body, to }).message).toContain("belongs to nobody");
  });

  it.each(NETWORKS_OF_ALL)("an integer that %s cannot hold is not called none", (network) => {
    const body = { kind: "Native", to: TO[network], amount: "9".repeat(79) };
    const { code, message } = refused(network, body);
    expect([code, message]).toEqual(["AmountInvalid", expect.stringMatching(/^The amount is more than \d+/)]);
  });

  it.each([
    ["EthereumSepolia", { kind: "Erc721", contract: SENDERS["EthereumSepolia"], tokenId: "9".repeat(79) }],
    ["Algorand", { kind: "Asa", assetId: "9".repeat(30), amount: "1" }],
    ["Algorand", { kind: "Asa", assetId: "0", amount: "1" }],
  ])("nor is a token's id, on %s: %j", (network, body) => {
    const { code, message } = refused(network, { ...body, to: TO[network] });
    expect(code).toBe("TokenIdInvalid");
    expect(message).not.toContain("not an integer");
  });

  it("the remedy for an asset's code does not ask for digits alone", () => {
    const body = { kind: "Sep41", issuer: TO["Stellar"], assetCode: "a-b", to: TO["Stellar"], amount: "1" };
    expect(refused("Stellar", body).remedy).toContain("code");
  });

  it("the remedy for a checksum does not have base58 and base32 sent in lower case", () => {
    const to = "TG3XXyExBkPp9nzdajDZsozEu4BkaSJozt";
    const { code, remedy } = refused("Tron", { kind: "Native", to, amount: "1" });
    expect(code).toBe("AddressChecksum");
    expect(remedy).toContain("EVM");
  });

  it("the refusal of a memo's characters names those that it may have, and no pattern", () => {
    const body = { kind: "Native", to: TO["Stellar"], amount: "1", memo: "hello world" };
    const [issue] = transferBodySchema.safeParse(body).error?.issues ?? [];
    expect([issue?.path, issue?.message]).toEqual([
      ["memo"],
      "is not of letters and digits alone, at most 64",
    ]);
  });

  it("the refusal of a PSBT for a key that signs none names the kinds that there are", () => {
    const judged = judgeSignature(
      FAMILIES,
      { scheme: "ECDSA", network: networkSchema.parse("EthereumSepolia") },
      signatureBodySchema.parse({ kind: "Psbt", psbt: "00" }),
    );
    expect(judged).toMatchObject({
      problem: { code: "SignatureKindNotSupported", details: { kinds: expect.arrayContaining(["Eip712"]) } },
    });
  });
});
