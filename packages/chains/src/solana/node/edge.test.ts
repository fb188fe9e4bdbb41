import { concatBytes, numberToBytesLE } from "@noble/curves/utils.js";
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Rpc,
  type SolanaRpcApi,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import {
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintToInstruction,
} from "@solana-program/token";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  SOLANA_FINAL,
  solanaEntryAt,
} from "../../testing/ledgers/solana-ledger.ts";
import { authorisedSolana, SOLANA_KEY, SOLANA_SENDER } from "../../testing/solana-samples.ts";
import { SOLANA_FAMILY } from "../family.ts";
import { messageOf } from "../message/message.ts";
import { SOLANA_TOKEN_2022_PROGRAM, SOLANA_TOKEN_PROGRAM } from "../message/programs.ts";
import type { SolanaTransfer } from "../rules/act.ts";
import { SOLANA_KEYLESS } from "../rules/keyless.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { solanaNode } from "./node.ts";

const SOL = 1_000_000_000n;
const TOKEN_2022 = address(SOLANA_TOKEN_2022_PROGRAM);

let ledger: ScriptedSolanaLedger;
let rpc: Rpc<SolanaRpcApi>;
let node: ChainNode;
let wallet: KeyPairSigner;
let requests = 0;

beforeAll(async () => {
  ledger = await openSolanaLedger();
  ({ rpc } = ledger);
  node = solanaNode(solanaEntryAt(ledger.url));
  wallet = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(0x15));
});
afterAll(() => ledger.stop());

const mine = (blocks: number) => ledger.mine(blocks);
const fund = async (to: string, amount: bigint): Promise<void> => {
  await ledger.admin("fund", { address: to, amount: amount.toString() });
  await mine(SOLANA_FINAL);
};

/** Sends instructions with the official SDK, and waits until they are final. */
const land = async (from: KeyPairSigner, instructions: readonly Instruction[]): Promise<void> => {
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
  const [status] = (await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send()).value;
  expect(status?.err).toBeNull();
};

/** An instruction of Token-2022 that the SDK of the Token program lacks (spl-token-2022, instruction). */
const of2022 = (data: Uint8Array, ...accounts: NonNullable<Instruction["accounts"]>): Instruction => ({
  programAddress: TOKEN_2022,
  accounts,
  data,
});

/** An extension of a mint: its size, and the instruction that initialises it. */
interface MintExtension {
  readonly bytes: number;
  readonly begin: (mint: Address) => Instruction;
}

/** A fee of 1 % of each transfer, at most a thousand units. */
const FEE: MintExtension = {
  bytes: 112,
  begin: (mint) =>
    of2022(
      concatBytes(
        Uint8Array.of(26, 0, 1),
        Uint8Array.from(getAddressEncoder().encode(wallet.address)),
        Uint8Array.of(0),
        numberToBytesLE(100n, 2),
        numberToBytesLE(1_000n, 8),
      ),
      { address: mint, role: AccountRole.WRITABLE },
    ),
};
const NON_TRANSFERABLE: MintExtension = {
  bytes: 4,
  begin: (mint) => of2022(Uint8Array.of(32), { address: mint, role: AccountRole.WRITABLE }),
};
const FROZEN_AT_FIRST: MintExtension = {
  bytes: 5,
  begin: (mint) => of2022(Uint8Array.of(28, 0, 2), { address: mint, role: AccountRole.WRITABLE }),
};

/** Creates a token with a million units, which the wallet holds. */
const makeToken = async (
  kind: "Spl" | "Spl2022",
  ...extensions: readonly MintExtension[]
): Promise<Address> => {
  const mint = await generateKeyPairSigner();
  const programAddress = kind === "Spl" ? address(SOLANA_TOKEN_PROGRAM) : TOKEN_2022;
  const more = extensions.reduce((sum, { bytes }) => sum + bytes, 0);
  const space = BigInt(more === 0 ? 82 : 166 + more);
  const token = address(associatedAccount({ kind, mint: mint.address }, wallet.address));
  const thaw = of2022(
    Uint8Array.of(11),
    { address: token, role: AccountRole.WRITABLE },
    { address: mint.address, role: AccountRole.READONLY },
    { address: wallet.address, role: AccountRole.READONLY_SIGNER },
  );
  await land(wallet, [
    getCreateAccountInstruction({
      payer: wallet,
      newAccount: mint,
      lamports: await rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress,
    }),
    ...extensions.map(({ begin }) => begin(mint.address)),
    getInitializeMint2Instruction(
      {
        mint: mint.address,
        decimals: 6,
        mintAuthority: wallet.address,
        freezeAuthority: wallet.address,
      },
      { programAddress },
    ),
    await getCreateAssociatedTokenIdempotentInstructionAsync({
      payer: wallet,
      owner: wallet.address,
      mint: mint.address,
      tokenProgram: programAddress,
    }),
    ...(extensions.includes(FROZEN_AT_FIRST) ? [thaw] : []),
    getMintToInstruction(
      { mint: mint.address, token, mintAuthority: wallet, amount: 1_000_000n },
      { programAddress },
    ),
  ]);
  return mint.address;
};

const stranger = async (): Promise<string> => (await generateKeyPairSigner()).address;
const native = (to: string, amount: bigint): SolanaTransfer => ({
  kind: "Native",
  from: SOLANA_SENDER,
  to,
  amount: amount.toString(),
});
const tokens = (kind: "Spl" | "Spl2022", mint: string, to: string, amount: bigint): SolanaTransfer => ({
  kind,
  mint,
  from: SOLANA_SENDER,
  to,
  amount: amount.toString(),
  createDestinationAccount: true,
});

const build = (transfer: SolanaTransfer, priority?: "Fast") => {
  requests += 1;
  return node.build({
    sender: SOLANA_SENDER,
    keys: [SOLANA_KEY.publicKey],
    act: authorisedSolana(transfer, { requestId: `xfr-aaaaa-bbbbb-${String(requests).padStart(15, "c")}` }),
    priority,
    sequencing: { kind: "next", lowest: 0n },
  });
};

const said = async (transfer: SolanaTransfer): Promise<string> => {
  const built = await build(transfer);
  return built.ok ? "built" : `${built.problem.code}: ${built.problem.message}`;
};

const judged = async (transfer: SolanaTransfer): Promise<string> => {
  const answer = await node.judgeRecipient?.(transfer);
  return answer === undefined || answer.ok ? "ok" : answer.problem.code;
};

/** Signs and sends a transfer, and waits until it is final. @returns its id and its sighting */
const carryOut = async (transfer: SolanaTransfer, priority?: "Fast") => {
  const built = await build(transfer, priority);
  const { unsigned } = built.ok ? built.value : expect.fail(built.problem.message);
  const signature = SOLANA_KEY.sign(messageOf(unsigned));
  const attached = SOLANA_FAMILY.attach(unsigned, [signature], [SOLANA_KEY.publicKey]);
  const { signed, txHash } = attached.ok ? attached.value : expect.fail(attached.problem.message);
  expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  await mine(SOLANA_FINAL);
  const sighting = await node.sight(txHash, transfer);
  if (!sighting.ok || sighting.value.kind !== "included") expect.fail("it has landed");
  return { txHash, sighting: sighting.value };
};

/** The chain's own record, read by its SDK. */
const recordOf = async (txHash: string) => {
  const found = await rpc
    .getTransaction(txHash as Parameters<typeof rpc.getTransaction>[0], {
      encoding: "json",
      maxSupportedTransactionVersion: 0,
    })
    .send();
  return found?.meta ?? expect.fail("the chain has it");
};

describe("K2 a recipient on the chain's own runtime", () => {
  it("is none of those that stand there from the beginning, by the list or by what the chain shows", async () => {
    let standing = 0;
    for (const to of SOLANA_KEYLESS.keys()) {
      const { value } = await rpc.getAccountInfo(address(to), { encoding: "base64" }).send();
      if (value !== null) standing += 1;
      const expected = value === null ? "ok" : "RecipientUnsuitable";
      expect([to, await judged(native(to, 1n))]).toEqual([to, expected]);
    }
    // the chain reserves the other addresses, and on a fresh one they are empty
    expect(standing).toBeGreaterThan(15);
  });

  it.each(["Spl", "Spl2022"] as const)(
    "is no mint and no account of a token of the kind %s",
    async (kind) => {
      const mint = await makeToken(kind);
      const account = associatedAccount({ kind, mint }, SOLANA_SENDER);
      for (const to of [mint, account]) {
        expect(await judged(native(to, SOL))).toBe("RecipientUnsuitable");
        expect(await judged(tokens("Spl", mint, to, 1n))).toBe("RecipientUnsuitable");
        expect(await judged(tokens("Spl2022", mint, to, 1n))).toBe("RecipientUnsuitable");
      }
      const to = await stranger();
      expect(await judged(native(to, SOL))).toBe("ok");
      await fund(to, SOL);
      expect(await judged(native(to, SOL))).toBe("ok");
      expect(await judged(tokens(kind, mint, to, 1n))).toBe("ok");
    },
  );

  it("is paid all the same by a caller who insists, and tokens move afterwards", async () => {
    const mint = await makeToken("Spl");
    const { sighting } = await carryOut(native(SOLANA_TOKEN_PROGRAM, 1_000_000n));
    expect(sighting.succeeded).toBe(true);
    const { sighting: moved } = await carryOut(tokens("Spl", mint, await stranger(), 5n));
    expect(moved.succeeded).toBe(true);
  });
});

describe("K3, K4 the report of a transfer is the chain's own record", () => {
  it.each([
    ["without a priority", undefined],
    ["with one", "Fast"],
  ] as const)("of lamports, %s", async (_, priority) => {
    const to = await stranger();
    const before = (await rpc.getBalance(wallet.address).send()).value;
    const { txHash, sighting } = await carryOut(native(to, SOL), priority);
    const { fee, preBalances, postBalances } = await recordOf(txHash);
    expect(sighting).toMatchObject({ succeeded: true, isFinal: true, fee });
    expect(sighting).not.toHaveProperty("arrived");
    expect((preBalances[0] ?? 0n) - (postBalances[0] ?? 0n)).toBe(fee + SOL);
    expect((await rpc.getBalance(wallet.address).send()).value).toBe(before - fee - SOL);
    expect((await rpc.getBalance(address(to)).send()).value).toBe(SOL);
  });

  it.each(["Spl", "Spl2022"] as const)("of a token of the kind %s: rent is no fee", async (kind) => {
    const mint = await makeToken(kind);
    const before = (await rpc.getBalance(wallet.address).send()).value;
    const { txHash, sighting } = await carryOut(tokens(kind, mint, await stranger(), 7n));
    const { fee } = await recordOf(txHash);
    expect(sighting).toMatchObject({ succeeded: true, fee });
    expect(sighting).not.toHaveProperty("arrived");
    const rent = await rpc.getMinimumBalanceForRentExemption(kind === "Spl" ? 165n : 170n).send();
    expect((await rpc.getBalance(wallet.address).send()).value).toBe(before - fee - rent);
  });

  it("of a token that takes a fee of each transfer: the arrived amount is reported", async () => {
    const mint = await makeToken("Spl2022", FEE);
    const to = await stranger();
    const before = (await rpc.getBalance(wallet.address).send()).value;
    const { txHash, sighting } = await carryOut(tokens("Spl2022", mint, to, 10_000n));
    expect(sighting).toMatchObject({ succeeded: true, arrived: 9_900n });
    expect(await node.tokenBalance(to, `Spl2022:${mint}`)).toEqual({ ok: true, value: 9_900n });
    const { fee } = await recordOf(txHash);
    const rent = await rpc.getMinimumBalanceForRentExemption(182n).send();
    expect((await rpc.getBalance(wallet.address).send()).value).toBe(before - fee - rent);
    // the maximum fee
    const { sighting: large } = await carryOut(tokens("Spl2022", mint, to, 500_000n));
    expect(large).toMatchObject({ succeeded: true, arrived: 499_000n });
  });
});

describe("K1 a transaction that the chain would refuse is refused before anything is signed", () => {
  it("a token that cannot be transferred, and one that freezes each new account", async () => {
    const bound = await makeToken("Spl2022", NON_TRANSFERABLE);
    expect(await said(tokens("Spl2022", bound, await stranger(), 1n))).toContain("cannot be transferred");
    const frozen = await makeToken("Spl2022", FROZEN_AT_FIRST);
    expect(await said(tokens("Spl2022", frozen, await stranger(), 1n))).toContain("freezes each new one");
  });

  it("an account that is frozen, of the wallet's and of the recipient's", async () => {
    const mint = await makeToken("Spl");
    const to = await stranger();
    await carryOut(tokens("Spl", mint, to, 5n));
    const freeze = (owner: string): Instruction => ({
      programAddress: address(SOLANA_TOKEN_PROGRAM),
      accounts: [
        {
          address: address(associatedAccount({ kind: "Spl", mint }, owner)),
          role: AccountRole.WRITABLE,
        },
        { address: mint, role: AccountRole.READONLY },
        { address: wallet.address, role: AccountRole.READONLY_SIGNER },
      ],
      data: Uint8Array.of(10),
    });
    await land(wallet, [freeze(to)]);
    expect(await said(tokens("Spl", mint, to, 5n))).toContain("RecipientCannotReceive");
    await land(wallet, [freeze(SOLANA_SENDER)]);
    expect(await said(tokens("Spl", mint, await stranger(), 5n))).toContain(
      "the wallet's account of the token",
    );
  });

  it("a destination that wants a memo gets one", async () => {
    const mint = await makeToken("Spl2022");
    const owner = await generateKeyPairSigner();
    await fund(owner.address, SOL);
    const account = address(associatedAccount({ kind: "Spl2022", mint }, owner.address));
    await land(owner, [
      await getCreateAssociatedTokenIdempotentInstructionAsync({
        payer: owner,
        owner: owner.address,
        mint,
        tokenProgram: TOKEN_2022,
      }),
      of2022(
        // data of Reallocate, for the extension MemoTransfer
        Uint8Array.of(29, 8, 0),
        { address: account, role: AccountRole.WRITABLE },
        { address: owner.address, role: AccountRole.WRITABLE_SIGNER },
        { address: address("11111111111111111111111111111111"), role: AccountRole.READONLY },
        { address: owner.address, role: AccountRole.READONLY_SIGNER },
      ),
      // data of MemoTransfer, Enable
      of2022(
        Uint8Array.of(30, 0),
        { address: account, role: AccountRole.WRITABLE },
        { address: owner.address, role: AccountRole.READONLY_SIGNER },
      ),
    ]);
    const { sighting } = await carryOut(tokens("Spl2022", mint, owner.address, 5n));
    expect(sighting.succeeded).toBe(true);
  });
});
