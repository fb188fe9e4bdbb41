import { bytesToHex } from "@noble/curves/utils.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  authorisedStellar,
  authorisedStellarBytes,
  LUMEN_TRANSFER,
  SEP41_TRANSFER,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  STELLAR_TOKEN_SPELT,
  STELLAR_TRUSTLINE,
} from "../testing/stellar-samples.ts";
import { STELLAR_FAMILY } from "./family.ts";
import { encodeStellar, type StellarDraft } from "./transaction.ts";

const exact = (draft: StellarDraft) => ({
  kind: "Exact",
  from: STELLAR_SENDER,
  unsigned: bytesToHex(encodeStellar(draft)),
});

describe("INV-8 the facts that policies judge of a request on Stellar", () => {
  it("is the coin or the asset that a transfer names, without a fee, which is the service's", () => {
    expect(STELLAR_FAMILY.effectsOf(STELLAR_TESTNET, LUMEN_TRANSFER, false)).toEqual({
      movements: [{ asset: "Native", amount: "15000000", recipient: STELLAR_RECIPIENT }],
      unknown: undefined,
    });
    expect(STELLAR_FAMILY.effectsOf(undefined, SEP41_TRANSFER, false).movements).toEqual([
      { asset: STELLAR_TOKEN_SPELT, amount: "25000000", recipient: STELLAR_RECIPIENT },
    ]);
  });

  it("is what a caller's own bytes do, and the fee that they fix", () => {
    expect(STELLAR_FAMILY.effectsOf(STELLAR_TESTNET, exact(STELLAR_TRUSTLINE), false)).toEqual({
      movements: [{ asset: STELLAR_TOKEN_SPELT, amount: "0", recipient: STELLAR_SENDER }],
      unknown: undefined,
      fee: "100",
    });
    const content = {
      kind: "transaction",
      network: STELLAR_TESTNET.network,
      transaction: bytesToHex(
        encodeStellar({
          ...STELLAR_TRUSTLINE,
          fee: 900n,
          operation: { kind: "createAccount", to: STELLAR_RECIPIENT, amount: 5n },
        }),
      ),
    };
    expect(STELLAR_FAMILY.effectsOf(STELLAR_TESTNET, content, false)).toEqual({
      movements: [{ asset: "Native", amount: "5", recipient: STELLAR_RECIPIENT }],
      unknown: undefined,
      fee: "900",
    });
  });

  it("is unknown of bytes that nobody reads, or without a chain that they would be for", () => {
    expect(
      STELLAR_FAMILY.effectsOf(STELLAR_TESTNET, { ...exact(STELLAR_TRUSTLINE), unsigned: "00" }, false)
        .unknown,
    ).toContain("cannot be read");
    expect(STELLAR_FAMILY.effectsOf(undefined, exact(STELLAR_TRUSTLINE), false).unknown).toContain(
      "no chain",
    );
    expect(STELLAR_FAMILY.effectsOf(STELLAR_TESTNET, { kind: "Native", to: "x" }, false).unknown).toContain(
      "cannot be read",
    );
  });

  it("is what the signers read of it", () => {
    const amounts = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(amounts, fc.boolean(), (amount, isToken) => {
        const token = isToken ? STELLAR_TOKEN : undefined;
        const operation = { kind: "payment", to: STELLAR_RECIPIENT, token, amount } as const;
        const draft = { ...STELLAR_TRUSTLINE, operation };
        const transfer = {
          ...(isToken ? SEP41_TRANSFER : { ...LUMEN_TRANSFER, memo: undefined }),
          amount: amount.toString(),
        };
        const unsigned = encodeStellar(draft);
        for (const [act, content] of [
          [authorisedStellar(transfer), transfer],
          [authorisedStellarBytes(unsigned), exact(draft)],
        ] as const) {
          const read = STELLAR_FAMILY.read(STELLAR_TESTNET, unsigned, act);
          if (!read.ok) expect.fail(read.problem.message);
          expect(STELLAR_FAMILY.effectsOf(STELLAR_TESTNET, content, false).movements).toEqual(
            read.value.effects.movements,
          );
        }
      }),
    );
  });
});
