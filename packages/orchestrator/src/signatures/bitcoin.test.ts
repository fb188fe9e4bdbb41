import { FAMILIES } from "@conclave/chains";
import {
  BITCOIN_KEY,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  encodeSamplePsbt,
  psbtHex,
  samplePsbt,
  TAPROOT_KEY,
  testAccount,
} from "@conclave/chains/testing";
import { networkSchema, type SchemeSignature } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { signatureTaskOf } from "../testing/signature-task-of.ts";

const network = networkSchema.parse(BITCOIN_SIGNET.network);

interface Signer {
  readonly scheme: "ECDSA" | "FROST-Taproot";
  readonly from: string;
  readonly publicKey: Uint8Array;
  sign(digest: Uint8Array): SchemeSignature;
}
const ECDSA: Signer = { ...BITCOIN_KEY, scheme: "ECDSA", from: BITCOIN_SENDER };
const TAPROOT: Signer = { ...TAPROOT_KEY, scheme: "FROST-Taproot", from: TAPROOT_KEY.address };

const taskOf = (psbt: string, { scheme, from, publicKey }: Signer) =>
  signatureTaskOf({
    entry: BITCOIN_SIGNET,
    scheme,
    publicKey,
    content: { kind: "psbt", from, psbt: psbt.slice(2) },
    body: { kind: "Psbt", psbt },
  });

describe("a PSBT that is signed and not sent", () => {
  it.each([
    ["an ECDSA wallet", ECDSA],
    ["a Taproot wallet", TAPROOT],
  ])("of %s is answered as a PSBT, with a signature for each of its coins", (_, signer) => {
    const unsigned = encodeSamplePsbt(samplePsbt({}, signer.from));
    const task = taskOf(`0x${Buffer.from(unsigned).toString("hex")}`, signer);
    if (!task.ok) expect.fail(task.problem.message);
    const { request, finish } = task.value;
    expect([request.isChosen, request.signables.length]).toEqual([false, 2]);
    const signatures = request.signables.map(({ bytes }) => signer.sign(bytes));
    const finished = finish(signatures);
    const whole = FAMILIES.familyOf(network).signedContent?.(unsigned, signatures, [signer.publicKey]);
    if (!finished.ok || whole?.ok !== true) expect.fail("it is signed");
    expect(finished.value.signedData).toBe(`0x${Buffer.from(whole.value).toString("hex")}`);
    expect(finish(signatures.toReversed()).ok).toBe(false);
  });

  it("INV-3 is not begun for coins of another key", () => {
    const other = testAccount("0e".repeat(32));
    const task = taskOf(psbtHex(), { ...ECDSA, from: TAPROOT_KEY.address, publicKey: other.publicKey });
    expect(!task.ok && task.problem.code).toBe("TransactionMismatch");
  });
});
