import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import {
  type Address,
  type Base64EncodedWireTransaction,
  getBase64Decoder,
  getBase64Encoder,
  type KeyPairSigner,
  type Signature,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  BLOCKS_TO_FINALITY,
  type SignedForSolana,
  type SolanaWorld,
  startSolanaWorld,
  testSigner,
} from "../testing/solana-world.ts";

const SOL = 1_000_000_000n;
const RENT = 890_880n;
const SIGNATURE_BYTES = 64;
/** behind the number of signatures, one signature, the version and the header */
const KEY_COUNT_AT = 1 + SIGNATURE_BYTES + 1 + 3;

let world: SolanaWorld;
let [alice, bob, carol]: KeyPairSigner[] = [];

beforeEach(async () => {
  world = await startSolanaWorld();
  [alice, bob, carol] = await Promise.all([testSigner(1), testSigner(2), testSigner(3)]);
  await world.fund(from().address, 10n * SOL);
});

afterEach(() => world[Symbol.asyncDispose]());

const from = (): KeyPairSigner => alice ?? expect.fail();
const to = (): Address => bob?.address ?? expect.fail();

const pay = (amount: bigint, payer = from(), receiver = to()): Promise<SignedForSolana> =>
  world.signed(payer, [getTransferSolInstruction({ source: payer, destination: receiver, amount })]);

const bytesOf = ({ wire }: SignedForSolana): Uint8Array => Uint8Array.from(getBase64Encoder().encode(wire));

const withBytes = (signed: SignedForSolana, bytes: Uint8Array): SignedForSolana => ({
  ...signed,
  wire: getBase64Decoder().decode(bytes) as Base64EncodedWireTransaction,
});

/** Another valid signature of the same message: a signer of Ed25519 may choose any nonce. */
const signedAgain = (signed: SignedForSolana, secretKey: Uint8Array): SignedForSolana => {
  const bytes = bytesOf(signed);
  const message = bytes.slice(1 + SIGNATURE_BYTES);
  const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(secretKey);
  const nonce = 12_345n;
  const commitment = ed25519.Point.BASE.multiply(nonce).toBytes();
  const challenge = ed25519.Point.Fn.create(
    [...sha512(Uint8Array.from([...commitment, ...pointBytes, ...message]))].reduceRight(
      (sum, byte) => sum * 256n + BigInt(byte),
      0n,
    ),
  );
  const response = ed25519.Point.Fn.toBytes(ed25519.Point.Fn.create(nonce + challenge * scalar));
  return withBytes(signed, Uint8Array.from([1, ...commitment, ...response, ...message]));
};

const skipPreflight = ({ wire }: SignedForSolana): Promise<Signature> =>
  world.rpc.sendTransaction(wire, { encoding: "base64", skipPreflight: true }).send();

describe("a transaction is refused", () => {
  it("whose bytes were altered after it was signed", async () => {
    const signed = await pay(SOL);
    const altered = bytesOf(signed);
    altered[altered.length - 8] = (altered.at(-8) ?? 0) ^ 1; // the lowest byte of the amount
    expect(await world.refusal(withBytes(signed, altered))).toContain("-32003");
    await skipPreflight(withBytes(signed, altered));
    await world.mine();
    expect(await world.call("getBalance", to(), { commitment: "processed" })).toMatchObject({
      result: { value: 0 },
    });
  });

  it("that has landed already", async () => {
    const signed = await pay(SOL);
    await world.send(signed);
    await world.mine();
    expect(await world.refusal(signed)).toContain("already been processed");
  });

  it("whose message has landed already, under another signature", async () => {
    const signed = await pay(SOL);
    const again = signedAgain(signed, new Uint8Array(32).fill(1));
    expect(again.wire).not.toBe(signed.wire);
    await world.send(signed);
    await world.send(again);
    await world.mine(1 + BLOCKS_TO_FINALITY);
    expect(await world.balance(to())).toBe(SOL);
    expect(await world.rpc.getSignaturesForAddress(to()).send()).toHaveLength(1);
    expect(await world.refusal(again)).toContain("already been processed");
  });

  it("whose blockhash the node does not know, or knows with less certainty than is asked", async () => {
    const signed = await pay(SOL);
    const send = () => world.call("sendTransaction", signed.wire, { encoding: "base64" });
    expect(await send()).toMatchObject({ error: { code: -32_002, data: { err: "BlockhashNotFound" } } });
    await world.mine(BLOCKS_TO_FINALITY);
    expect(await send()).toMatchObject({ result: signed.signature });
  });

  it.each<[string, bigint, string]>([
    ["of more than the sender has", 11n * SOL, "custom program error: #1"],
    [
      "that leaves less than an account must hold",
      10n * SOL - 5_000n - RENT + 1n,
      "insufficient funds for rent",
    ],
    ["that brings less than a new account must hold", RENT - 1n, "insufficient funds for rent"],
  ])("%s", async (_, amount, words) => {
    const refusal = await world.refusal(await pay(amount));
    expect(refusal.toLowerCase()).toContain(words);
  });

  it("of somebody who has no account", async () => {
    expect(await world.refusal(await pay(SOL, carol ?? expect.fail()))).toContain(
      "no record of a prior credit",
    );
  });

  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ["too short", (bytes) => bytes.slice(0, -1)],
    ["too long", (bytes) => Uint8Array.from([...bytes, 0])],
    ["of a later version", (bytes) => bytes.with(1 + SIGNATURE_BYTES, 0x81)],
    [
      "of a length in a longer form",
      (bytes) =>
        Uint8Array.from([...bytes.slice(0, KEY_COUNT_AT), 0x83, 0, ...bytes.slice(KEY_COUNT_AT + 1)]),
    ],
    ["without its signature", (bytes) => Uint8Array.from([0, ...bytes.slice(1 + SIGNATURE_BYTES)])],
    ["more than a packet", () => new Uint8Array(1_233).fill(1)],
    ["empty", () => new Uint8Array()],
  ])("whose bytes are %s", async (_, change) => {
    const signed = await pay(SOL);
    const changed = withBytes(signed, change(bytesOf(signed)));
    expect(await world.call("sendTransaction", changed.wire, { encoding: "base64" })).toMatchObject({
      error: { code: -32_602 },
    });
  });
});

it("an account may be emptied", async () => {
  await world.send(await pay(10n * SOL - 5_000n));
  await world.mine(1 + BLOCKS_TO_FINALITY);
  expect(await world.balance(from().address)).toBe(0n);
  expect(await world.rpc.getAccountInfo(from().address).send()).toMatchObject({ value: null });
});

it("a transaction that fails in a block has paid for it, and its history says why", async () => {
  const signature = await skipPreflight(await pay(11n * SOL));
  await world.mine(1 + BLOCKS_TO_FINALITY);
  expect(await world.balance(from().address)).toBe(10n * SOL - 5_000n);
  const err = { InstructionError: [0, { Custom: 1 }] };
  expect(await world.call("getSignatureStatuses", [signature])).toMatchObject({
    result: { value: [{ err, confirmationStatus: "finalized", confirmations: null }] },
  });
  expect(await world.call("getSignaturesForAddress", to())).toMatchObject({ result: [{ signature, err }] });
});

it("the last block that may hold a transaction is the 151st behind the one whose hash it names", async () => {
  const [inTime, late] = [await pay(SOL), await pay(2n * SOL)];
  await skipPreflight(inTime);
  await skipPreflight(late);
  await world.admin("delay", { id: inTime.signature, blocks: 150 });
  await world.admin("delay", { id: late.signature, blocks: 151 });
  await world.mine(200);
  expect(await world.balance(to())).toBe(SOL);
  expect(await world.call("getSignatureStatuses", [late.signature])).toMatchObject({
    result: { value: [null] },
  });
});
