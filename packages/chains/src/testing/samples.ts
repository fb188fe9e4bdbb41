import type { AuthorisedTransaction, AuthorisedTransfer } from "@conclave/custody";
import type { Fees } from "../evm/fees/fees.ts";
import type { EvmTransaction, EvmTransfer } from "../evm/rules/act.ts";
import { authorisedActs } from "./acts/authorised-acts.ts";

/** anvil's and hardhat's first public test account; its private key is public. */
export const TEST_SECRET_KEY = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
export const TEST_ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

export const RECIPIENT = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
export const CONTRACT = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

export const SEPOLIA = {
  network: "EthereumSepolia",
  family: "Evm",
  chainId: 11_155_111,
  feeCap: "100000000000000000",
} as const;

export const FEES: Fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

type TransferOf<Kind> = Extract<EvmTransfer, { readonly kind: Kind }>;

export const NATIVE: TransferOf<"Native"> = {
  kind: "Native",
  to: RECIPIENT,
  amount: "1000000000000000000",
};
export const ERC20: TransferOf<"Erc20"> = {
  kind: "Erc20",
  contract: CONTRACT,
  to: RECIPIENT,
  amount: "2500000",
};

const acts = authorisedActs<EvmTransfer, EvmTransaction>(SEPOLIA.network);

/** A request as the gateway authorises it. */
export const authorised = (transfer: EvmTransfer): AuthorisedTransfer => acts.ofTransfer(transfer);

/** A transaction as the gateway authorises it. @param replacedNonce of the replaced request, if it is a replacement */
export const authorisedCall = (transaction: EvmTransaction, replacedNonce?: number): AuthorisedTransaction =>
  replacedNonce === undefined
    ? acts.ofTransaction(transaction)
    : acts.ofTransaction(
        { ...transaction, nonce: replacedNonce },
        { replaces: ["xfr-aaaaa-bbbbb-ccccccccccccccc"] },
      );
