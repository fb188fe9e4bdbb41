import type { Act } from "@conclave/custody";
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Rpc,
  type SolanaRpcApi,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
} from "@solana-program/token";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Arrival, ChainNode } from "../../chain.ts";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  SOLANA_FINAL,
  solanaEntryAt,
} from "../../testing/ledgers/solana-ledger.ts";
import {
  authorisedSolana,
  authorisedSolanaBytes,
  SOLANA_KEY,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  solanaBytes,
  withOtherSolanaSignature,
} from "../../testing/solana-samples.ts";
import { solanaId } from "../attach.ts";
import { SOLANA_FAMILY } from "../family.ts";
import { SOLANA_TOKEN_2022_PROGRAM, SOLANA_TOKEN_PROGRAM } from "../message/programs.ts";
import type { SolanaTransfer } from "../rules/act.ts";
import { solanaNode } from "./node.ts";

const SOL = 1_000_000_000n;
const SECRET = new Uint8Array(32).fill(0x15);

let ledger: ScriptedSolanaLedger;
let rpc: Rpc<SolanaRpcApi>;
let node: ChainNode;
let mints: Readonly<Record<"Spl" | "Spl2022", Address>>;
let requests = 0;

const mine = (blocks: number) => ledger.mine(blocks);

const fund = async (to: string, amount: bigint): Promise<void> => {
  await ledger.admin("fund", { address: to, amount: amount.toString() });
  await mine(SOLANA_FINAL);
};

beforeAll(async () => {
  ledger = await openSolanaLedger();
  ({ rpc } = ledger);
  node = connect();
  const issuer = await createKeyPairSignerFromPrivateKeyBytes(SECRET);
  mints = {
    Spl: await makeToken(issuer, address(SOLANA_TOKEN_PROGRAM)),
    Spl2022: await makeToken(issuer, address(SOLANA_TOKEN_2022_PROGRAM)),
  };
});
afterAll(() => ledger.stop());

const connect = (): ChainNode => solanaNode(solanaEntryAt(ledger.url));

/** Sends instructions with the official SDK, and waits until they are final. @returns the id and the slot */
const land = async (from: KeyPairSigner, instructions: readonly Instruction[]) => {
  const { value } = await rpc.getLatestBlockhash().send();
  const transaction = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(from, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(value, message),
    (message) => appendTransactionMessageInstructions([...instructions], message),
    signTransactionMessageWithSigners,
  );
  await rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: "base64" }).send();
  await mine(SOLANA_FINAL);
  const id = getSignatureFromTransaction(transaction);
  const found = await rpc
    .getTransaction(id, { encoding: "base64", maxSupportedTransactionVersion: 0 })
    .send();
  if (found === null || found.meta?.err !== null) expect.fail("it has not landed");
  return { id, slot: found.slot };
};

/** Creates a token of a program, a million units of which the wallet holds. */
const makeToken = async (issuer: KeyPairSigner, program: Address): Promise<Address> => {
  const mint = await generateKeyPairSigner();
  const space = BigInt(getMintSize());
  const lamports = await rpc.getMinimumBalanceForRentExemption(space).send();
  const [token] = await findAssociatedTokenPda({
    mint: mint.address,
    owner: issuer.address,
    tokenProgram: program,
  });
  const config = { programAddress: program };
  await land(issuer, [
    getCreateAccountInstruction({
      payer: issuer,
      newAccount: mint,
      lamports,
      space,
      programAddress: program,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: issuer.address }, config),
    await getCreateAssociatedTokenIdempotentInstructionAsync({
      payer: issuer,
      owner: issuer.address,
      mint: mint.address,
      tokenProgram: program,
    }),
    getMintToInstruction({ mint: mint.address, token, mintAuthority: issuer, amount: 1_000_000n }, config),
  ]);
  return mint.address;
};

const actOf = (transfer: SolanaTransfer): Act => {
  requests += 1;
  return authorisedSolana(transfer, { requestId: `xfr-aaaaa-bbbbb-${String(requests).padStart(15, "c")}` });
};

const build = (act: Act, priority?: "Fast") =>
  node.build({
    sender: SOLANA_SENDER,
    keys: [SOLANA_KEY.publicKey],
    act,
    priority,
    sequencing: { kind: "next", lowest: 0n },
  });

/** Builds a transaction, reads it as signers do, and signs it with a single key. */
const signedOf = async (act: Act, priority?: "Fast") => {
  const built = await build(act, priority);
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const read = SOLANA_FAMILY.read(solanaEntryAt(ledger.url), unsigned, act);
  const [signable] = read.ok ? read.value.signables : expect.fail(read.problem.message);
  if (signable === undefined) expect.fail("there is something to sign");
  const attached = SOLANA_FAMILY.attach(unsigned, [SOLANA_KEY.sign(signable.bytes)], [SOLANA_KEY.publicKey]);
  return attached.ok ? { unsigned, ...attached.value } : expect.fail(attached.problem.message);
};

const native = (to: string, amount: bigint): SolanaTransfer => ({
  kind: "Native",
  from: SOLANA_SENDER,
  to,
  amount: amount.toString(),
});
const tokens = (
  kind: "Spl" | "Spl2022",
  to: string,
  amount: bigint,
  createDestinationAccount: boolean,
): SolanaTransfer => ({
  kind,
  mint: mints[kind],
  from: SOLANA_SENDER,
  to,
  amount: amount.toString(),
  createDestinationAccount,
});

const seen = async (txHash: string, by: ChainNode = node, expected?: SolanaTransfer) => {
  const sighting = await by.sight(txHash, expected);
  return sighting.ok ? sighting.value : expect.fail(sighting.problem.message);
};
const stranger = async (): Promise<Address> => (await generateKeyPairSigner()).address;
const said = async (act: Act): Promise<string> => {
  const built = await build(act);
  return built.ok ? "built" : built.problem.code;
};

describe("a transfer on a ledger of Solana", () => {
  it("lands once, is seen, final after 32 slots, and pays what it was built for", async () => {
    const to = await stranger();
    const { signed, txHash } = await signedOf(actOf(native(to, 2n * SOL)));
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    await mine(1);
    expect((await node.broadcast(signed)).kind).toBe("accepted");
    expect(await seen(txHash)).toMatchObject({ kind: "waiting" });
    await mine(SOLANA_FINAL);
    expect(await seen(txHash)).toMatchObject({
      kind: "included",
      isFinal: true,
      succeeded: true,
      fee: 5_000n,
    });
    expect(await node.balance(to)).toEqual({ ok: true, value: 2n * SOL });
    const { signatures } = getTransactionDecoder().decode(signed);
    expect(Object.keys(signatures)).toEqual([SOLANA_SENDER]);
  });

  it("that shall be fast pays its price for what it may compute", async () => {
    const act = actOf(native(await stranger(), SOL));
    const { unsigned, signed, txHash } = await signedOf(act, "Fast");
    const read = SOLANA_FAMILY.read(solanaEntryAt(ledger.url), unsigned, act);
    await node.broadcast(signed);
    await mine(SOLANA_FINAL);
    const found = await seen(txHash);
    expect(found.kind === "included" && found.fee).toBe(read.ok && read.value.fee);
    expect(found.kind === "included" && found.fee > 5_000n).toBe(true);
  });

  it.each(["Spl", "Spl2022"] as const)(
    "of a token of the kind %s makes the recipient's account, and does without the next time",
    async (kind) => {
      const to = await stranger();
      expect(await said(actOf(tokens(kind, to, 7n, false)))).toBe("RecipientCannotReceive");
      for (const held of [7n, 14n]) {
        const { signed, txHash } = await signedOf(actOf(tokens(kind, to, 7n, held === 7n)));
        expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
        await mine(SOLANA_FINAL);
        expect(await seen(txHash)).toMatchObject({ kind: "included", isFinal: true, succeeded: true });
        expect(await node.tokenBalance(to, `${kind}:${mints[kind]}`)).toEqual({ ok: true, value: held });
      }
      expect(await node.describeToken(`${kind}:${mints[kind]}`)).toEqual({
        ok: true,
        value: { decimals: 6, verified: false },
      });
    },
  );

  it("is refused in words before anything is signed: too little for a new account, too much, rent", async () => {
    const to = await stranger();
    const held = await node.balance(SOLANA_SENDER);
    if (!held.ok) expect.fail("the wallet has a balance");
    expect(await said(actOf(native(to, 890_879n)))).toBe("RecipientCannotReceive");
    expect(await said(actOf(native(to, held.value)))).toBe("InsufficientFunds");
    expect(await said(actOf(native(to, held.value - 5_001n)))).toBe("InsufficientFunds");
    expect(await said(actOf(native(to, held.value - 5_000n)))).toBe("built");
    expect(await said(actOf(tokens("Spl", to, 2_000_000n, true)))).toBe("InsufficientFunds");
  });

  it("that was altered after it was signed is not taken", async () => {
    const { signed } = await signedOf(actOf(native(await stranger(), SOL)));
    const altered = signed.map((byte, at) => (at === signed.length - 2 ? byte ^ 1 : byte));
    expect((await node.broadcast(altered)).kind).toBe("unacceptable");
  });

  it("INV-4 is two transactions when two requests ask for the same", async () => {
    const to = await stranger();
    const [one, other] = [await signedOf(actOf(native(to, SOL))), await signedOf(actOf(native(to, SOL)))];
    await node.broadcast(one.signed);
    await node.broadcast(other.signed);
    await mine(SOLANA_FINAL);
    expect(await node.balance(to)).toEqual({ ok: true, value: 2n * SOL });
  });
});

describe("INV-4 the fate of a transaction on a ledger of Solana", () => {
  const fateOf = async (
    by: ChainNode,
    ...transactions: readonly { readonly unsigned: Uint8Array; readonly signed: Uint8Array }[]
  ) => {
    const fate = await by.fateOf(SOLANA_SENDER, transactions);
    return fate.ok ? fate.value.kind : fate.problem.message;
  };

  it("is open while it may land, outdated and dead behind that, and then it is built again", async () => {
    const to = await stranger();
    const act = actOf(native(to, SOL));
    const one = await signedOf(act);
    await mine(100);
    expect(await fateOf(node, one)).toBe("open");
    await mine(30);
    expect((await node.broadcast(one.signed)).kind).toBe("outdated");
    expect(await fateOf(node, one)).toBe("open");
    await mine(SOLANA_FINAL);
    expect(await fateOf(node, one)).toBe("dead");
    const two = await signedOf(act);
    expect(two.unsigned).not.toEqual(one.unsigned);
    await node.broadcast(two.signed);
    await mine(SOLANA_FINAL);
    expect(await node.balance(to)).toEqual({ ok: true, value: SOL });
    expect(await fateOf(node, one, two)).toBe("open");
  });

  it("lands in the very last block that its blockhash allows, which the verdict waits for", async () => {
    const one = await signedOf(actOf(native(await stranger(), SOL)));
    let blocks = 110;
    await mine(blocks);
    while ((await node.broadcast(one.signed)).kind === "accepted" && blocks < 200) {
      await ledger.admin("drop");
      await mine(1);
      blocks += 1;
      expect(await fateOf(node, one)).toBe("open");
    }
    // the finalized block is already 31 blocks behind
    expect(blocks).toBeGreaterThan(100);
    for (; (await fateOf(node, one)) === "open" && blocks < 300; blocks += 1) await mine(1);
    expect(await fateOf(node, one)).toBe("dead");
  });

  it("is not dead when the same message landed with another signature, and is not taken for that one", async () => {
    const to = await stranger();
    const one = await signedOf(actOf(native(to, SOL)));
    const again = withOtherSolanaSignature(one.unsigned);
    expect(solanaId(again)).not.toBe(one.txHash);
    expect(await node.broadcast(again)).toEqual({ kind: "accepted" });
    await mine(SOLANA_FINAL);
    // the chain accepts a message once, whatever its signature
    expect((await node.broadcast(one.signed)).kind).toBe("accepted");
    await mine(170);
    expect(await node.balance(to)).toEqual({ ok: true, value: SOL });
    const fresh = connect();
    expect(await seen(one.txHash, fresh)).toEqual({ kind: "unknown" });
    expect(await fateOf(fresh, one)).toBe("open");
    expect(await seen(one.txHash, fresh)).toEqual({ kind: "unknown" });
    expect(await seen(solanaId(again), fresh)).toMatchObject({
      kind: "included",
      isFinal: true,
      succeeded: true,
    });
  });

  it("of a caller's own bytes is decided by the block of their blockhash, and the same bytes are not built twice", async () => {
    await mine(SOLANA_FINAL);
    const { value } = await rpc.getLatestBlockhash({ commitment: "finalized" }).send();
    const bytes = Buffer.from(solanaBytes({ blockhash: value.blockhash }).slice(2), "hex");
    const before = await node.balance(SOLANA_RECIPIENT);
    if (!before.ok) expect.fail("the node tells");
    await fund(SOLANA_RECIPIENT, SOL);
    const act = authorisedSolanaBytes(bytes);
    const one = await signedOf(act);
    await node.broadcast(one.signed);
    await mine(2);
    expect(await said(act)).toBe("TransactionInvalid");
    await mine(200);
    const fresh = connect();
    expect(await fateOf(fresh, one)).toBe("open");
    expect(await node.balance(SOLANA_RECIPIENT)).toEqual({ ok: true, value: before.value + SOL + 5n });
    const never = await rpc.getLatestBlockhash({ commitment: "finalized" }).send();
    const unsent = Buffer.from(solanaBytes({ blockhash: never.value.blockhash }).slice(2), "hex");
    const two = await signedOf(authorisedSolanaBytes(unsent));
    await mine(200);
    expect(await fateOf(fresh, two)).toBe("dead");
    expect(await said(authorisedSolanaBytes(unsent))).toBe("TransactionInvalid");
  });
});

describe("an arrival from outside on a ledger of Solana", () => {
  const arrivalsAt = async (slot: bigint, ours: string): Promise<readonly Arrival[] | undefined> => {
    const found = await node.arrivals?.(
      slot,
      async (asked) => new Set(asked.filter((each) => each === ours)),
    );
    return found?.ok === true ? found.value : expect.fail("the node does not tell");
  };

  it("is the growth of an account in lamports, with the account that gave them", async () => {
    const [payer, to] = [await generateKeyPairSigner(), await stranger()];
    await fund(payer.address, 10n * SOL);
    const { id, slot } = await land(payer, [
      getTransferSolInstruction({ source: payer, destination: to, amount: SOL }),
    ]);
    expect(await arrivalsAt(slot, to)).toMatchObject([
      { txHash: id, place: to, from: payer.address, moved: { kind: "Native", to, amount: SOL.toString() } },
    ]);
    expect(await arrivalsAt(slot, payer.address)).toEqual([]);
    expect(await arrivalsAt(slot - 1n, to)).toEqual([]);
    const head = await node.head();
    expect(await arrivalsAt(head.ok ? head.value.finalHeight + 1n : 0n, to)).toBeUndefined();
  });

  it.each(["Spl", "Spl2022"] as const)(
    "is a token of the kind %s for the owner of the account that got it",
    async (kind) => {
      const to = await stranger();
      const { signed, txHash } = await signedOf(actOf(tokens(kind, to, 9n, true)));
      await node.broadcast(signed);
      await mine(SOLANA_FINAL);
      const found = await seen(txHash);
      const slot = found.kind === "included" ? found.height : expect.fail("it has landed");
      expect(await arrivalsAt(slot, to)).toMatchObject([
        { txHash, from: SOLANA_SENDER, moved: { kind, mint: mints[kind], to, amount: "9" } },
      ]);
    },
  );
});
