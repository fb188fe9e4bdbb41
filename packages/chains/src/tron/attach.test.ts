import { hexToBytes } from "@noble/curves/utils.js";
import { TronWeb, utils } from "tronweb";
import { describe, expect, it } from "vitest";
import { testAccount, testEdwardsKey } from "../testing/account.ts";
import { TRON_DRAFT, TRON_KEY, TRON_NILE, TRON_SENDER } from "../testing/tron-samples.ts";
import { TRON_FAMILY } from "./family.ts";
import { encodeTron, tronDigest, tronId } from "./transaction.ts";

const unsigned = encodeTron(TRON_DRAFT);
const signature = TRON_KEY.sign(tronDigest(unsigned));
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const attached = (signatures = [signature], keys = [TRON_KEY.publicKey]) =>
  TRON_FAMILY.attach(unsigned, signatures, keys, TRON_NILE);

describe("a signed transaction", () => {
  it("is the SDK's own, byte for byte, and recovers to the sender", async () => {
    const made = attached();
    const { signed, txHash } = made.ok ? made.value : expect.fail(made.problem.message);
    const digits = Buffer.from(signed.slice(-65)).toString("hex");
    expect(TronWeb.address.fromHex(utils.crypto.ecRecover(txHash, `0x${digits}`))).toBe(TRON_SENDER);
    const tronWeb = new TronWeb({ fullHost: TRON_NILE.fullNodeUrl });
    const { ref_block_bytes, ref_block_hash } = {
      ref_block_bytes: "1234",
      ref_block_hash: "0102030405060708",
    };
    const blockHeader = {
      ref_block_bytes,
      ref_block_hash,
      expiration: Number(TRON_DRAFT.expirationMs),
      timestamp: Number(TRON_DRAFT.timestampMs),
    };
    const { contract } = TRON_DRAFT;
    if (contract.type !== "TransferContract") expect.fail("the sample is a payment");
    const own = await tronWeb.transactionBuilder.sendTrx(contract.to, Number(contract.amount), TRON_SENDER, {
      blockHeader,
    });
    const signedBySdk = await tronWeb.trx.sign(own, "0e".repeat(32));
    expect([txHash, digits]).toEqual([signedBySdk.txID, signedBySdk.signature[0]?.toLowerCase()]);
    expect(tronId(unsigned)).toBe(txHash);
  });

  it("is attached to no other key's signature, to no malleable one, and to none of another scheme", () => {
    const other = testAccount("0d".repeat(32));
    const malleable = {
      ...signature,
      s: ORDER - signature.s,
      recovery: signature.recovery === 0 ? 1 : 0,
    } as const;
    const edwards = testEdwardsKey("0d".repeat(32)).sign(unsigned);
    expect(attached([other.sign(tronDigest(unsigned))]).ok).toBe(false);
    expect(attached([malleable]).ok).toBe(false);
    expect(TRON_FAMILY.attach(unsigned, [edwards], [TRON_KEY.publicKey]).ok).toBe(false);
    expect(attached([signature, signature]).ok).toBe(false);
    expect(attached([signature], [TRON_KEY.publicKey, other.publicKey]).ok).toBe(false);
    expect(TRON_FAMILY.attach(hexToBytes("80"), [signature], [TRON_KEY.publicKey]).ok).toBe(false);
  });
});
