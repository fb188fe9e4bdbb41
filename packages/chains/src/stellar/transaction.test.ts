import {
  Account,
  Asset,
  Keypair,
  LiquidityPoolAsset,
  LiquidityPoolFeeV18,
  Memo,
  Operation,
  StrKey,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  STELLAR_TRUSTLINE,
} from "../testing/stellar-samples.ts";
import { attachStellarSignature } from "./attach.ts";
import { stellarAddress } from "./rules/address.ts";
import { decodeStellar, encodeStellar, type StellarDraft, stellarHash, stellarId } from "./transaction.ts";
import type { StellarMemo } from "./xdr/memo.ts";
import type { StellarOperation } from "./xdr/operation.ts";

const { passphrase } = STELLAR_TESTNET;
const INT64_MAX = 2n ** 63n - 1n;

const int64 = fc.bigInt({ min: 1n, max: INT64_MAX });
const account = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => stellarAddress(bytes));
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString("hex"));
const token = fc.record({ code: fc.stringMatching(/^[a-zA-Z0-9]{1,12}$/), issuer: account });
const text = fc.string({ unit: "grapheme", maxLength: 28 }).filter((said) => Buffer.byteLength(said) <= 28);

const memos: fc.Arbitrary<StellarMemo> = fc.oneof(
  fc.constant({ kind: "none" as const }),
  fc.record({ kind: fc.constant("text" as const), text }),
  fc.record({
    kind: fc.constant("id" as const),
    id: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  }),
  fc.record({ kind: fc.constantFrom("hash" as const, "return" as const), hash }),
);

/** Operations other than contract calls, which have a test of their own. */
type Classic = Exclude<StellarOperation, { readonly kind: "invokeHostFunction" }>;

const operations: fc.Arbitrary<Classic> = fc.oneof(
  fc.record({
    kind: fc.constant("payment" as const),
    to: account,
    token: fc.option(token, { nil: undefined }),
    amount: int64,
  }),
  fc.record({ kind: fc.constant("createAccount" as const), to: account, amount: int64 }),
  fc.record({
    kind: fc.constant("changeTrust" as const),
    token,
    limit: fc.bigInt({ min: 0n, max: INT64_MAX }),
  }),
);

/** Any transaction that this service may build or a caller may send. */
const drafts: fc.Arbitrary<StellarDraft & { readonly operation: Classic }> = fc
  .record({
    from: fc.constant(STELLAR_SENDER),
    fee: fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }),
    sequence: int64,
    minTime: fc.bigInt({ min: 0n, max: 2n ** 39n }),
    seconds: fc.bigInt({ min: 1n, max: 2n ** 39n }),
    memo: memos,
    operation: operations,
  })
  .map(({ seconds, ...draft }) => ({ ...draft, maxTime: draft.minTime + seconds }));

const decimal = (amount: bigint): string => {
  const digits = amount.toString().padStart(8, "0");
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`;
};

const memoBySdk = (memo: StellarMemo): Memo => {
  switch (memo.kind) {
    case "none":
      return Memo.none();
    case "text":
      return Memo.text(memo.text);
    case "id":
      return Memo.id(memo.id);
    case "hash":
      return Memo.hash(memo.hash);
    case "return":
      return Memo.return(memo.hash);
  }
};

const operationBySdk = (operation: Classic): xdr.Operation => {
  switch (operation.kind) {
    case "payment": {
      const { to, token: of, amount } = operation;
      const asset = of === undefined ? Asset.native() : new Asset(of.code, of.issuer);
      return Operation.payment({ destination: to, asset, amount: decimal(amount) });
    }
    case "createAccount":
      return Operation.createAccount({
        destination: operation.to,
        startingBalance: decimal(operation.amount),
      });
    case "changeTrust": {
      const { code, issuer } = operation.token;
      return Operation.changeTrust({ asset: new Asset(code, issuer), limit: decimal(operation.limit) });
    }
  }
};

/** The transaction built by the official SDK. */
const bySdk = ({
  from,
  fee,
  sequence,
  minTime,
  maxTime,
  memo,
  operation,
}: StellarDraft & { readonly operation: Classic }) =>
  new TransactionBuilder(new Account(from, (sequence - 1n).toString()), {
    fee: fee.toString(),
    networkPassphrase: passphrase,
    memo: memoBySdk(memo),
    timebounds: { minTime: minTime.toString(), maxTime: maxTime.toString() },
  })
    .addOperation(operationBySdk(operation))
    .build();

const signatureOf = (unsigned: Uint8Array) => STELLAR_KEY.sign(stellarHash(passphrase, unsigned));
const whyNot = (unsigned: Uint8Array): string => {
  const decoded = decodeStellar(unsigned);
  return decoded.ok ? "ok" : decoded.problem.message;
};

describe("a transaction", () => {
  it("has the bytes, the hash to sign and the name that the official SDK gives it", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const unsigned = encodeStellar(draft);
        const theirs = bySdk(draft);
        expect(Buffer.from(unsigned)).toEqual(theirs.toEnvelope().toXDR());
        expect(Buffer.from(stellarHash(passphrase, unsigned))).toEqual(theirs.hash());
        expect(stellarId(passphrase, unsigned)).toBe(theirs.hash().toString("hex"));
      }),
    );
  });

  it("is read as what it was written from", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        expect(decodeStellar(encodeStellar(draft))).toEqual({ ok: true, value: draft });
      }),
    );
  });

  it("is signed so that the official SDK finds the same transaction, and the sender's signature", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const unsigned = encodeStellar(draft);
        const attached = attachStellarSignature(
          unsigned,
          [signatureOf(unsigned)],
          [STELLAR_KEY.publicKey],
          STELLAR_TESTNET,
        );
        if (!attached.ok) expect.fail(attached.problem.message);
        const theirs = TransactionBuilder.fromXDR(
          Buffer.from(attached.value.signed).toString("base64"),
          passphrase,
        );
        const [signature, ...others] = theirs.signatures;
        const key = Keypair.fromPublicKey(STELLAR_SENDER);
        expect(others).toEqual([]);
        expect(signature?.hint()).toEqual(key.signatureHint());
        expect(key.verify(theirs.hash(), signature?.signature() ?? Buffer.alloc(0))).toBe(true);
        expect(attached.value.txHash).toBe(theirs.hash().toString("hex"));
      }),
      { numRuns: 30 },
    );
  });

  it("INV-3 is read in no other encoding: no byte can be changed and mean the same", () => {
    fc.assert(
      fc.property(drafts, fc.nat(), fc.integer({ min: 1, max: 255 }), (draft, place, change) => {
        const unsigned = encodeStellar(draft);
        const at = place % unsigned.length;
        const altered = unsigned.with(at, (unsigned[at] ?? 0) ^ change);
        const decoded = decodeStellar(altered);
        if (decoded.ok) expect(decoded.value).not.toEqual(draft);
      }),
    );
  });

  it("INV-3 is read whole: cut short, or with anything behind it, it is nothing", () => {
    const unsigned = encodeStellar(STELLAR_TRUSTLINE);
    for (let length = 0; length < unsigned.length; length += 1) {
      expect(decodeStellar(unsigned.slice(0, length)).ok).toBe(false);
    }
    expect(whyNot(Uint8Array.from([...unsigned, 0, 0, 0, 0]))).toContain("behind its end");
    expect(whyNot(new Uint8Array(5_000))).toContain("too long");
  });

  it("INV-3 arbitrary bytes are nothing, and never an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(decodeStellar(bytes).ok).toBe(false);
      }),
    );
  });
});

describe("INV-3 an operation that no signer reads", () => {
  const timebounds = { minTime: "0", maxTime: "2000000200" };
  const builder = (options: object = {}) =>
    new TransactionBuilder(new Account(STELLAR_SENDER, "100"), {
      fee: "100",
      networkPassphrase: passphrase,
      timebounds,
      ...options,
    });
  const payment = (change: object = {}) =>
    Operation.payment({ destination: STELLAR_RECIPIENT, asset: Asset.native(), amount: "1", ...change });
  const unsignedOf = (made: TransactionBuilder): Uint8Array => made.build().toEnvelope().toXDR();
  const of = (...given: readonly xdr.Operation[]): string =>
    whyNot(unsignedOf(given.reduce((made, operation) => made.addOperation(operation), builder())));
  const asset = new Asset(STELLAR_TOKEN.code, STELLAR_TOKEN.issuer);
  const muxed = StrKey.encodeMed25519PublicKey(
    Buffer.concat([StrKey.decodeEd25519PublicKey(STELLAR_RECIPIENT), Buffer.alloc(8, 1)]),
  );

  it.each<[string, xdr.Operation]>([
    ["setOptions", Operation.setOptions({ masterWeight: 0 })],
    ["accountMerge", Operation.accountMerge({ destination: STELLAR_RECIPIENT })],
    ["manageData", Operation.manageData({ name: "x", value: "y" })],
    ["bumpSequence", Operation.bumpSequence({ bumpTo: "5000" })],
    [
      "pathPaymentStrictSend",
      Operation.pathPaymentStrictSend({
        sendAsset: asset,
        sendAmount: "1",
        destination: STELLAR_RECIPIENT,
        destAsset: Asset.native(),
        destMin: "1",
      }),
    ],
    [
      "manageSellOffer",
      Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: "1", price: "1" }),
    ],
    ["clawback", Operation.clawback({ asset, amount: "1", from: STELLAR_RECIPIENT })],
    [
      "setTrustLineFlags",
      Operation.setTrustLineFlags({ trustor: STELLAR_RECIPIENT, asset, flags: { authorized: true } }),
    ],
  ])("is the operation %s", (name, operation) => {
    expect(of(operation)).toContain(`nobody reads the operation ${name} here`);
  });

  it("are several operations, or none", () => {
    expect(of(payment(), payment())).toContain("not exactly one operation");
    expect(whyNot(unsignedOf(builder()))).toContain("not exactly one operation");
  });

  it("is an operation of an account of its own, be it the sender's", () => {
    for (const source of [STELLAR_RECIPIENT, STELLAR_SENDER]) {
      expect(of(payment({ source }))).toContain("names an account of its own");
    }
  });

  it("is a muxed account", () => {
    expect(of(payment({ destination: muxed }))).toContain("its destination is a muxed account");
  });

  it("are other preconditions, none, or a time that never ends", () => {
    const with_ = (change: (made: TransactionBuilder) => void): string => {
      const made = builder().addOperation(payment());
      change(made);
      return whyNot(unsignedOf(made));
    };
    expect(with_((made) => made.setLedgerbounds(1, 5))).toContain("preconditions beyond them");
    expect(with_((made) => made.setMinAccountSequence("5"))).toContain("preconditions beyond them");
    const endless = builder({ timebounds: { minTime: "0", maxTime: "0" } }).addOperation(payment());
    expect(whyNot(unsignedOf(endless))).toContain("no time after which it is void");
  });

  it("is a fee bump, or what is signed already", () => {
    const inner = builder().addOperation(payment()).build();
    const bump = TransactionBuilder.buildFeeBumpTransaction(STELLAR_SENDER, "2000", inner, passphrase);
    expect(whyNot(bump.toEnvelope().toXDR())).toContain("a fee bump");
    inner.sign(Keypair.random());
    expect(whyNot(inner.toEnvelope().toXDR())).toContain("signed already");
  });

  it("is a trust in lumens or in a pool's shares", () => {
    const trust = (change: object) => of(Operation.changeTrust({ asset, ...change }));
    expect(trust({})).toBe("ok");
    expect(trust({ asset: Asset.native() })).toContain("nobody trusts for lumens");
    const shares = new LiquidityPoolAsset(Asset.native(), asset, LiquidityPoolFeeV18);
    expect(trust({ asset: shares })).toContain("its asset is of a type that is not read here");
  });

  it("are amounts and sequence numbers that no ledger takes", () => {
    for (const change of [{ sequence: 0n }, { sequence: -1n }, { minTime: 2_000_000_201n }]) {
      expect(whyNot(encodeStellar({ ...STELLAR_TRUSTLINE, ...change }))).not.toBe("ok");
    }
    for (const amount of [0n, -1n]) {
      const operation = { kind: "payment", to: STELLAR_RECIPIENT, token: undefined, amount } as const;
      expect(whyNot(encodeStellar({ ...STELLAR_TRUSTLINE, operation }))).toContain("its amount");
    }
  });
});
