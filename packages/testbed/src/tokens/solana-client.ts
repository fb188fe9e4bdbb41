import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
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
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
} from "@solana-program/token";
import type { NodeUrls } from "../networks/local-network.ts";
import { makeBlocks } from "./make-blocks.ts";

/** blocks until a payment is confirmed */
export const BLOCKS_UNTIL_CONFIRMED = 2;

export const solanaRpc = ({ url }: NodeUrls): Rpc<SolanaRpcApi> => createSolanaRpc(url);

/** Sends a transaction from outside the cluster, and waits until it is confirmed. */
export const landOnSolana = async (
  urls: NodeUrls,
  from: KeyPairSigner,
  instructions: readonly Instruction[],
): Promise<void> => {
  const { value } = await solanaRpc(urls).getLatestBlockhash({ commitment: "confirmed" }).send();
  const transaction = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(from, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(value, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    signTransactionMessageWithSigners,
  );
  await solanaRpc(urls)
    .sendTransaction(getBase64EncodedWireTransaction(transaction), {
      encoding: "base64",
      preflightCommitment: "confirmed",
    })
    .send();
  await makeBlocks(urls, BLOCKS_UNTIL_CONFIRMED);
};

/** A mint of a token program, whose authority mints at will. */
export interface SolanaMint {
  readonly authority: KeyPairSigner;
  readonly tokenProgram: Address;
  readonly mint: Address;
}

/** Creates a mint of a token program. */
export const makeSolanaMint = async (
  urls: NodeUrls,
  authority: KeyPairSigner,
  tokenProgram: Address,
  decimals: number,
): Promise<SolanaMint> => {
  const mint = await generateKeyPairSigner();
  const space = BigInt(getMintSize());
  await landOnSolana(urls, authority, [
    getCreateAccountInstruction({
      payer: authority,
      newAccount: mint,
      lamports: await solanaRpc(urls).getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: tokenProgram,
    }),
    getInitializeMint2Instruction(
      { mint: mint.address, decimals, mintAuthority: authority.address },
      { programAddress: tokenProgram },
    ),
  ]);
  return { authority, tokenProgram, mint: mint.address };
};

/** The account of an owner's tokens of a mint. */
export const tokenAccountOf = async (
  { mint, tokenProgram }: Omit<SolanaMint, "authority">,
  owner: string,
): Promise<Address> => {
  const [account] = await findAssociatedTokenPda({ mint, owner: address(owner), tokenProgram });
  return account;
};

/** Makes an owner's token account, unless there is one. */
export const tokenAccountInstruction = async (
  { authority, mint, tokenProgram }: SolanaMint,
  owner: string,
): Promise<Instruction> =>
  getCreateAssociatedTokenIdempotentInstruction({
    payer: authority,
    ata: await tokenAccountOf({ mint, tokenProgram }, owner),
    owner: address(owner),
    mint,
    tokenProgram,
  });

/** Gives new tokens to an owner, whose token account it makes if needed. */
export const mintOnSolana = async (
  urls: NodeUrls,
  made: SolanaMint,
  owner: string,
  amount: number | bigint,
): Promise<void> => {
  const { authority, mint, tokenProgram } = made;
  const token = await tokenAccountOf(made, owner);
  await landOnSolana(urls, authority, [
    await tokenAccountInstruction(made, owner),
    getMintToInstruction({ mint, token, mintAuthority: authority, amount }, { programAddress: tokenProgram }),
  ]);
};
