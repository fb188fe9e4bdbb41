import {
  Account,
  Address,
  Asset,
  Memo,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from "@stellar/stellar-sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
} from "../../testing/stellar-samples.ts";
import { stellarContractAddress } from "../rules/address.ts";
import { decodeStellar, encodeStellar, type StellarDraft, stellarId } from "../transaction.ts";
import { assetContractOf } from "./asset-contract.ts";
import type { ContractLedgerKey } from "./ledger-key.ts";
import type { CallResources } from "./resources.ts";

const { passphrase } = STELLAR_TESTNET;
const CONTRACT = assetContractOf(passphrase, STELLAR_TOKEN);
const HOLDER = stellarContractAddress(new Uint8Array(32).fill(5));
const ASSET = new Asset(STELLAR_TOKEN.code, STELLAR_TOKEN.issuer);

const RESOURCES: CallResources = {
  reads: [
    { kind: "instance", contract: CONTRACT },
    { kind: "account", account: STELLAR_TOKEN.issuer },
  ],
  writes: [
    { kind: "trustline", account: STELLAR_SENDER, token: STELLAR_TOKEN },
    { kind: "balance", contract: CONTRACT, holder: HOLDER },
  ],
  instructions: 2_000_000,
  readBytes: 600,
  writeBytes: 400,
  fee: 60_000n,
};

const draftOf = (amount: bigint, to: string, resources: CallResources): StellarDraft => ({
  from: STELLAR_SENDER,
  fee: resources.fee + 100n,
  sequence: 101n,
  minTime: 0n,
  maxTime: 2_000_000_200n,
  memo: { kind: "none" },
  operation: { kind: "invokeHostFunction", contract: CONTRACT, from: STELLAR_SENDER, to, amount },
  resources,
});
const DRAFT = draftOf(5n, HOLDER, RESOURCES);

const addressOf = (text: string): xdr.ScVal => new Address(text).toScVal();
const argumentsOf = (amount: bigint, to = HOLDER, from = STELLAR_SENDER): xdr.ScVal[] => [
  addressOf(from),
  addressOf(to),
  nativeToScVal(amount, { type: "i128" }),
];
const callOf = (args: xdr.ScVal[], name = "transfer") =>
  new xdr.InvokeContractArgs({
    contractAddress: new Address(CONTRACT).toScAddress(),
    functionName: name,
    args,
  });
const invocationOf = (args: xdr.ScVal[], further: xdr.SorobanAuthorizedInvocation[] = []) =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(callOf(args)),
    subInvocations: further,
  });
const ownWord = (rootInvocation: xdr.SorobanAuthorizedInvocation) =>
  new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation,
  });

const keyBySdk = (key: ContractLedgerKey): xdr.LedgerKey => {
  switch (key.kind) {
    case "account":
      return xdr.LedgerKey.account(
        new xdr.LedgerKeyAccount({
          accountId: Address.fromString(key.account).toScAddress().accountId(),
        }),
      );
    case "trustline":
      return xdr.LedgerKey.trustline(
        new xdr.LedgerKeyTrustLine({
          accountId: Address.fromString(key.account).toScAddress().accountId(),
          asset: new Asset(key.token.code, key.token.issuer).toTrustLineXDRObject(),
        }),
      );
    case "instance":
    case "balance":
      return xdr.LedgerKey.contractData(
        new xdr.LedgerKeyContractData({
          contract: new Address(key.contract).toScAddress(),
          key:
            key.kind === "instance"
              ? xdr.ScVal.scvLedgerKeyContractInstance()
              : xdr.ScVal.scvVec([xdr.ScVal.scvSymbol("Balance"), addressOf(key.holder)]),
          durability: xdr.ContractDataDurability.persistent(),
        }),
      );
  }
};

const dataBySdk = ({ reads, writes, instructions, readBytes, writeBytes, fee }: CallResources) =>
  new SorobanDataBuilder()
    .setReadOnly(reads.map(keyBySdk))
    .setReadWrite(writes.map(keyBySdk))
    .setResources(instructions, readBytes, writeBytes)
    .setResourceFee(fee)
    .build();

interface BySdk {
  readonly args?: xdr.ScVal[];
  readonly auth?: xdr.SorobanAuthorizationEntry[];
  readonly name?: string;
  readonly memo?: Memo;
  readonly data?: xdr.SorobanTransactionData;
}

/** The transaction built by the official SDK, with changes. */
const bySdk = ({
  args = argumentsOf(5n),
  auth = [ownWord(invocationOf(args))],
  name = "transfer",
  memo = Memo.none(),
  data = dataBySdk(RESOURCES),
}: BySdk) =>
  new TransactionBuilder(new Account(STELLAR_SENDER, "100"), {
    fee: "100",
    networkPassphrase: passphrase,
    memo,
    timebounds: { minTime: "0", maxTime: "2000000200" },
    sorobanData: data,
  })
    .addOperation(Operation.invokeContractFunction({ contract: CONTRACT, function: name, args, auth }))
    .build();

const whyNot = (given: BySdk): string => {
  const decoded = decodeStellar(bySdk(given).toEnvelope().toXDR());
  return decoded.ok ? "ok" : decoded.problem.message;
};

describe("the contract of an asset", () => {
  it("is the one that the official SDK names", () => {
    expect([assetContractOf(passphrase, undefined), CONTRACT]).toEqual([
      Asset.native().contractId(passphrase),
      ASSET.contractId(passphrase),
    ]);
    const long = { code: "LONGERCODE", issuer: STELLAR_TOKEN.issuer };
    expect(assetContractOf("another", long)).toBe(new Asset(long.code, long.issuer).contractId("another"));
  });
});

describe("a transfer to a contract", () => {
  it("has the bytes and the name that the official SDK gives it, and is read as what it was written from", () => {
    const words = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
        fc.constantFrom(HOLDER, STELLAR_RECIPIENT),
        fc.record({
          reads: fc.subarray([...RESOURCES.reads]),
          writes: fc.subarray([...RESOURCES.writes]),
          instructions: words,
          readBytes: words,
          writeBytes: words,
          fee: fc.bigInt({ min: 0n, max: 4_000_000_000n }),
        }),
        (amount, to, resources) => {
          const draft = draftOf(amount, to, resources);
          const unsigned = encodeStellar(draft);
          const args = argumentsOf(amount, to);
          // the SDK adds the resource fee to the given fee
          const theirs = bySdk({ args, data: dataBySdk(resources) });
          expect(Buffer.from(unsigned)).toEqual(theirs.toEnvelope().toXDR());
          expect(stellarId(passphrase, unsigned)).toBe(theirs.hash().toString("hex"));
          expect(decodeStellar(unsigned)).toEqual({ ok: true, value: draft });
        },
      ),
      { numRuns: 50 },
    );
  });

  it("INV-3 is read whole: cut short it is nothing, and no byte can be changed and mean the same", () => {
    const unsigned = encodeStellar(DRAFT);
    for (let length = 0; length < unsigned.length; length += 7) {
      expect(decodeStellar(unsigned.slice(0, length)).ok).toBe(false);
    }
    for (let at = 0; at < unsigned.length; at += 1) {
      const decoded = decodeStellar(unsigned.with(at, (unsigned[at] ?? 0) ^ 1));
      if (decoded.ok) expect(decoded.value).not.toEqual(DRAFT);
    }
  });
});

describe("INV-3 a contract call that no signer reads", () => {
  const args = argumentsOf(5n);
  const other = argumentsOf(6n);

  it("is another function, or other arguments", () => {
    expect(whyNot({})).toBe("ok");
    expect(whyNot({ name: "approve" })).toContain("another function than transfer");
    expect(whyNot({ args: args.slice(0, 2) })).toContain("not transfer(from, to, amount)");
    expect(whyNot({ args: [...args, addressOf(HOLDER)] })).toContain("not transfer(from, to, amount)");
    const [from = addressOf(HOLDER), to = from] = args;
    expect(whyNot({ args: [from, to, nativeToScVal(5n, { type: "u128" })] })).toContain("not transfer");
    expect(whyNot({ args: [from, nativeToScVal("x"), nativeToScVal(5n, { type: "i128" })] })).toContain(
      "not transfer",
    );
  });

  it.each([0n, -1n, 2n ** 63n, 2n ** 64n])("is an amount that no account has: %s", (amount) => {
    expect(whyNot({ args: argumentsOf(amount) })).toContain("the amount of its call");
  });

  it("is an authorisation that is missing, doubled, of another call, or goes further", () => {
    const own = ownWord(invocationOf(args));
    expect(whyNot({ auth: [] })).toContain("not exactly one authorisation");
    expect(whyNot({ auth: [own, own] })).toContain("not exactly one authorisation");
    expect(whyNot({ auth: [ownWord(invocationOf(other))] })).toContain("of another call");
    expect(whyNot({ auth: [ownWord(invocationOf(args, [invocationOf(other)]))] })).toContain(
      "goes on to further calls",
    );
    const signed = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
        new xdr.SorobanAddressCredentials({
          address: new Address(STELLAR_SENDER).toScAddress(),
          nonce: xdr.Int64.fromString("1"),
          signatureExpirationLedger: 5,
          signature: xdr.ScVal.scvVoid(),
        }),
      ),
      rootInvocation: invocationOf(args),
    });
    expect(whyNot({ auth: [signed] })).toContain("of other credentials");
  });

  it("moves another account's asset, has a memo, or has a fee below its resources", () => {
    expect(whyNot({ args: argumentsOf(5n, HOLDER, STELLAR_RECIPIENT) })).toContain("another account's");
    expect(whyNot({ memo: Memo.id("5") })).toContain("takes no memo (CAP-67)");
    const cheap = encodeStellar({ ...DRAFT, fee: RESOURCES.fee - 1n });
    const decoded = decodeStellar(cheap);
    expect(!decoded.ok && decoded.problem.message).toContain("does not pay for its contract call");
  });

  it("touches more ledger entries than a transfer, or restores archived ones", () => {
    const touching = (key: xdr.LedgerKey) =>
      whyNot({ data: new SorobanDataBuilder(dataBySdk(RESOURCES)).setReadWrite([key]).build() });
    const code = xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: Buffer.alloc(32) }));
    const data = (key: xdr.ScVal, durability = xdr.ContractDataDurability.persistent()) =>
      xdr.LedgerKey.contractData(
        new xdr.LedgerKeyContractData({ contract: new Address(CONTRACT).toScAddress(), key, durability }),
      );
    const instance = xdr.ScVal.scvLedgerKeyContractInstance();
    for (const key of [
      code,
      data(xdr.ScVal.scvSymbol("Balance")),
      data(xdr.ScVal.scvVec([xdr.ScVal.scvSymbol("Allowance"), addressOf(HOLDER)])),
      data(xdr.ScVal.scvVec([xdr.ScVal.scvSymbol("Balance")])),
      data(instance, xdr.ContractDataDurability.temporary()),
    ]) {
      expect(touching(key)).toContain("something in the ledger that no transfer of an asset touches");
    }
    const many = {
      ...RESOURCES,
      reads: Array.from({ length: 9 }, () => RESOURCES.reads[0]).flatMap((key) => key ?? []),
    };
    expect(whyNot({ data: dataBySdk(many) })).toContain("its footprint is longer than 8");
  });

  it("has no resources, or has them for something else", () => {
    const { resources: _, ...bare } = DRAFT;
    const { operation: __, ...rest } = DRAFT;
    const payment = { kind: "payment", to: STELLAR_RECIPIENT, token: undefined, amount: 5n } as const;
    for (const draft of [bare, { ...rest, operation: payment }]) {
      const decoded = decodeStellar(encodeStellar(draft));
      expect(!decoded.ok && decoded.problem.message).toContain("has not the data of what it does");
    }
  });
});
