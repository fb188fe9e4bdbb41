import { type Address, address, createKeyPairSignerFromPrivateKeyBytes, isAddress } from "@solana/kit";
import { getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { LaunchError } from "../launch-error.ts";
import {
  landOnSolana,
  makeSolanaMint,
  mintOnSolana,
  type SolanaMint,
  solanaRpc,
  tokenAccountInstruction,
  tokenAccountOf,
} from "./solana-client.ts";
import type { MadeToken, TokenFactory } from "./token-factory.ts";

/** The program of tokens with extensions. */
export const TOKEN_2022_PROGRAM_ADDRESS = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
const COMMITMENT = { commitment: "confirmed" } as const;

const mintFactory = (tokenProgram: Address): TokenFactory => {
  const mintOf = async ({ makerKey, id }: MadeToken): Promise<SolanaMint> => ({
    authority: await createKeyPairSignerFromPrivateKeyBytes(makerKey),
    tokenProgram,
    mint: address(id),
  });
  return {
    makerOf: async (makerKey) => (await createKeyPairSignerFromPrivateKeyBytes(makerKey)).address,
    create: async ({ urls, makerKey }, { decimals, supply }) => {
      const authority = await createKeyPairSignerFromPrivateKeyBytes(makerKey);
      const made = await makeSolanaMint(urls, authority, tokenProgram, decimals);
      await mintOnSolana(urls, made, authority.address, supply);
      return made.mint;
    },
    isThere: async ({ urls, id }) => {
      const { value } = await solanaRpc(urls)
        .getAccountInfo(address(id), { ...COMMITMENT, encoding: "base64" })
        .send();
      return value !== null;
    },
    left: async (made) => {
      const mint = await mintOf(made);
      const account = await tokenAccountOf(mint, mint.authority.address);
      const { value } = await solanaRpc(made.urls).getTokenAccountBalance(account, COMMITMENT).send();
      return BigInt(value.amount);
    },
    give: async (made, to, amount) => {
      if (!isAddress(to)) {
        throw new LaunchError(
          `${to} is no Solana address`,
          "Give the address of the wallet: base58 of 32 bytes.",
        );
      }
      const mint = await mintOf(made);
      const info = await solanaRpc(made.urls).getTokenSupply(mint.mint, COMMITMENT).send();
      await landOnSolana(made.urls, mint.authority, [
        await tokenAccountInstruction(mint, to),
        getTransferCheckedInstruction(
          {
            source: await tokenAccountOf(mint, mint.authority.address),
            mint: mint.mint,
            destination: await tokenAccountOf(mint, to),
            authority: mint.authority,
            amount,
            decimals: info.value.decimals,
          },
          { programAddress: tokenProgram },
        ),
      ]);
      return [];
    },
  };
};

export const SPL_FACTORY: TokenFactory = mintFactory(TOKEN_PROGRAM_ADDRESS);
export const SPL_2022_FACTORY: TokenFactory = mintFactory(TOKEN_2022_PROGRAM_ADDRESS);
