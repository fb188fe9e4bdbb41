import { ed25519 } from "@noble/curves/ed25519.js";
import {
  type Address,
  address,
  type CompiledTransactionMessage,
  generateKeyPairSigner,
  getAddressDecoder,
  getAddressEncoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  type KeyPairSigner,
  signature,
} from "@solana/kit";
import { getTransferSolInstructionDataCodec, SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { getTransferCheckedInstructionDataDecoder, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { z } from "zod";
import type { NodeUrls } from "../networks/local-network.ts";
import { BLOCKS_UNTIL_CONFIRMED, makeSolanaMint, mintOnSolana, solanaRpc } from "../tokens/solana-client.ts";
import { TOKEN_2022_PROGRAM_ADDRESS } from "../tokens/solana-mints.ts";
import {
  command,
  type FamilyDriver,
  type KindOfTransfer,
  type SeenTransaction,
  type Submission,
} from "./driver.ts";
import { ed25519Verified } from "./ed25519-verified.ts";

const SOL = 1_000_000_000;
/** more blocks than a blockhash stays valid for, until those are final */
const BLOCKS_TO_EXPIRY = 200;
const DECIMALS = 2;

interface Decoded {
  readonly message: CompiledTransactionMessage;
  readonly messageBytes: Uint8Array;
  readonly isSigned: boolean;
}

/** Decodes a transaction; `isSigned` is true if its only signer, the fee payer, signed it, verified with OpenSSL. */
const decoded = (signed: Uint8Array): Decoded => {
  const { messageBytes, signatures } = getTransactionDecoder().decode(signed);
  const bytes = Uint8Array.from(messageBytes);
  const [[signer, signatureBytes] = [], ...others] = Object.entries(signatures);
  const isSigned =
    signer !== undefined &&
    signatureBytes !== null &&
    signatureBytes !== undefined &&
    others.length === 0 &&
    ed25519Verified(Uint8Array.from(getAddressEncoder().encode(address(signer))), bytes, signatureBytes);
  return {
    message: getCompiledTransactionMessageDecoder().decode(messageBytes),
    messageBytes: bytes,
    isSigned,
  };
};

interface Called {
  readonly data: Uint8Array;
  /** indexes into the message's accounts */
  readonly accounts: readonly number[];
}

/** A message's instruction to a program, if there is exactly one. */
const callOf = (message: CompiledTransactionMessage, programs: readonly Address[]): Called | undefined => {
  if (message.version === 1) throw new Error("it is of a version that nobody here writes");
  const { staticAccounts, instructions } = message;
  const [call, ...more] = instructions.filter(({ programAddressIndex: at }) =>
    programs.some((program) => program === staticAccounts[at]),
  );
  if (call === undefined) return undefined;
  if (more.length > 0) throw new Error("it moves more than one thing");
  return { data: Uint8Array.from(call.data ?? []), accounts: call.accountIndices ?? [] };
};

type Owners = readonly { readonly accountIndex: number; readonly owner?: Address }[];

const moved = (message: CompiledTransactionMessage, owners: Owners) => {
  const { staticAccounts } = message;
  const token = callOf(message, [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS]);
  if (token !== undefined) {
    const { amount } = getTransferCheckedInstructionDataDecoder().decode(token.data);
    const [, mint = -1, destination] = token.accounts;
    const owner = owners.find(({ accountIndex }) => accountIndex === destination)?.owner;
    if (owner === undefined) throw new Error("its tokens go to nobody");
    return { recipient: owner, amount, token: staticAccounts[mint] };
  }
  const native = callOf(message, [SYSTEM_PROGRAM_ADDRESS]);
  const recipient = staticAccounts[native?.accounts[1] ?? -1];
  if (native === undefined || recipient === undefined) throw new Error("it moves nothing");
  const { amount } = getTransferSolInstructionDataCodec().decode(native.data);
  return { recipient, amount, token: undefined };
};

const read = async (urls: NodeUrls, txHash: string): Promise<SeenTransaction> => {
  const found = await solanaRpc(urls)
    .getTransaction(signature(txHash), {
      encoding: "base64",
      maxSupportedTransactionVersion: 0,
      commitment: "finalized",
    })
    .send();
  if (found?.meta?.err !== null) throw new Error(`the node has no success of ${txHash}`);
  const signed = Uint8Array.from(getBase64Encoder().encode(found.transaction[0]));
  const { message, isSigned } = decoded(signed);
  const [sender = ""] = message.staticAccounts;
  const owners = found.meta.postTokenBalances ?? [];
  return { sender, ...moved(message, owners), fee: found.meta.fee, isSigned, signed };
};

/** A funded account outside the cluster. */
const fundedSigner = async (urls: NodeUrls): Promise<KeyPairSigner> => {
  const signer = await generateKeyPairSigner();
  await command(urls, "fund", { address: signer.address, amount: SOL });
  await command(urls, "mine", { blocks: BLOCKS_UNTIL_CONFIRMED });
  return signer;
};

/** Creates a mint. @returns its address, and a function that gives tokens to an owner */
const makeMint = async (urls: NodeUrls, tokenProgram: Address) => {
  const made = await makeSolanaMint(urls, await fundedSigner(urls), tokenProgram, DECIMALS);
  return { mint: made.mint, give: (to: string, amount: number) => mintOnSolana(urls, made, to, amount) };
};

/** A fresh address, without an account on any ledger. */
const newAddress = (): Address => getAddressDecoder().decode(ed25519.keygen().publicKey);

const native = (amount: bigint): KindOfTransfer => {
  const recipient = newAddress();
  return {
    kind: "Native",
    body: { kind: "Native", to: recipient, amount: String(amount) },
    expected: { recipient, amount, token: undefined },
  };
};

const kinds: FamilyDriver["kinds"] = async (urls, wallet) => {
  const [spl, spl2022] = [
    await makeMint(urls, TOKEN_PROGRAM_ADDRESS),
    await makeMint(urls, TOKEN_2022_PROGRAM_ADDRESS),
  ];
  for (const { give } of [spl, spl2022]) await give(wallet.address, 500);
  const [without, having] = [newAddress(), newAddress()];
  await spl2022.give(having, 1);
  return [
    native(1_234_567n),
    {
      kind: "Spl",
      body: { kind: "Spl", mint: spl.mint, to: without, amount: "7", createDestinationAccount: true },
      expected: { recipient: without, amount: 7n, token: spl.mint },
    },
    {
      kind: "Spl2022",
      body: { kind: "Spl2022", mint: spl2022.mint, to: having, amount: "8" },
      expected: { recipient: having, amount: 8n, token: spl2022.mint },
    },
  ];
};

/** Adds one lamport to the amount of a transaction, but keeps its signature. */
const altered = (signed: Uint8Array): Uint8Array => {
  const { message, messageBytes } = decoded(signed);
  const transfer = callOf(message, [SYSTEM_PROGRAM_ADDRESS]);
  if (transfer === undefined || message.version === 1) throw new Error("it is no transfer");
  const codec = getTransferSolInstructionDataCodec();
  const data = codec.encode({ amount: codec.decode(transfer.data).amount + 1n });
  const changed = {
    ...message,
    instructions: message.instructions.map((instruction) =>
      message.staticAccounts[instruction.programAddressIndex] === SYSTEM_PROGRAM_ADDRESS
        ? { ...instruction, data }
        : instruction,
    ),
  };
  const before = signed.subarray(0, signed.length - messageBytes.length);
  return Uint8Array.from([...before, ...getCompiledTransactionMessageEncoder().encode(changed)]);
};

const submissionSchema = z.union([
  z.object({ result: z.string() }),
  z.object({ error: z.object({ message: z.string() }) }),
]);

const submit = async ({ url }: NodeUrls, signed: Uint8Array): Promise<Submission> => {
  const params = [
    Buffer.from(signed).toString("base64"),
    { encoding: "base64", preflightCommitment: "confirmed" },
  ];
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "sendTransaction", params }),
  });
  const said = submissionSchema.parse(await answer.json());
  return "result" in said ? { kind: "taken" } : { kind: "refused", words: said.error.message };
};

/** Solana, through @solana/kit and the programs' own clients. */
export const SOLANA: FamilyDriver = {
  network: "Solana",
  // the rent-exempt minimum of an account without data
  least: 890_880n,
  addressOf: (publicKey) => getAddressDecoder().decode(Buffer.from(publicKey, "hex")),
  native,
  kinds,
  read,
  balance: async (urls, of) =>
    (await solanaRpc(urls).getBalance(address(of), { commitment: "finalized" }).send()).value,
  altered,
  wrongSignature: /signature verification failure/,
  submit,
  expire: async (urls, txHash) => {
    await command(urls, "delay", { id: txHash, blocks: 2 * BLOCKS_TO_EXPIRY });
    await command(urls, "mine", { blocks: BLOCKS_TO_EXPIRY });
  },
};
