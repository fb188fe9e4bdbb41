import {
  type ApiTransaction,
  type ApiTransfer,
  type ApiWallet,
  DEVELOPMENT_COLLECTIBLE_ABI,
  DEVELOPMENT_COLLECTIBLE_BYTECODE,
  developmentCollectibleArguments,
} from "@conclave/testbed";
import { Interface, Transaction } from "ethers";
import { encodeDeployData } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { PATIENCE_MS } from "../patience.ts";
import { cluster } from "./shared-cluster.ts";

const ERC721 = new Interface(["function approve(address approved, uint256 tokenId)"]);

let wallet: ApiWallet;
let collectible: `0x${string}`;

const settled = ({ status }: ApiTransaction): boolean => status === "Confirmed" || status === "Failed";
const broadcasted = ({ status }: ApiTransaction): boolean => status === "Broadcasted";
const send = async (body: Readonly<Record<string, unknown>>): Promise<ApiTransaction> =>
  cluster.api.followTransaction(await cluster.api.transaction(wallet.id, body), settled, PATIENCE_MS);
const onChain = async ({ txHash }: ApiTransfer): Promise<Transaction> => {
  if (txHash === undefined) throw new Error("a transaction that was broadcast has a hash");
  return Transaction.from(await cluster.chain.rawTransaction(txHash));
};
const ownerOf = (tokenId: bigint): Promise<string> =>
  cluster.chain.client.readContract({
    address: collectible,
    abi: DEVELOPMENT_COLLECTIBLE_ABI,
    functionName: "ownerOf",
    args: [tokenId],
  });

export const transactions = (): void => {
  describe("transactions", () => {
    beforeAll(async () => {
      wallet = await makeFundedWallet(cluster);
    });

    describe("a transaction of a caller's making", () => {
      it("deploys a contract at the announced address", async () => {
        const data = encodeDeployData({
          abi: DEVELOPMENT_COLLECTIBLE_ABI,
          bytecode: DEVELOPMENT_COLLECTIBLE_BYTECODE,
          args: developmentCollectibleArguments(3n),
        });
        const deployed = await send({ kind: "Evm", data });
        expect(deployed).toMatchObject({ status: "Confirmed", details: { nonce: 0 } });
        collectible = deployed.details?.contractAddress ?? "0x";
        expect(await ownerOf(1n)).toBe(wallet.address);
      });

      it("calls a contract with the very data, gas and fees that it was given", async () => {
        const data = ERC721.encodeFunctionData("approve", [freshReceiver(), 2n]);
        const fees = { maxFeePerGas: "6000000000", maxPriorityFeePerGas: "1000000000" };
        const called = await send({ kind: "Eip1559", to: collectible, data, gasLimit: "90000", ...fees });
        expect(called.status).toBe("Confirmed");
        const transaction = await onChain(called);
        expect([transaction.from, transaction.to, transaction.data, transaction.gasLimit]).toEqual([
          wallet.address,
          collectible,
          data,
          90_000n,
        ]);
        expect([transaction.maxFeePerGas, transaction.maxPriorityFeePerGas]).toEqual([
          6_000_000_000n,
          10n ** 9n,
        ]);
      });

      it("INV-3 is signed byte for byte when the caller built it whole", async () => {
        const to = freshReceiver();
        const own = Transaction.from({
          type: 2,
          chainId: 11155111n,
          nonce: 2,
          to,
          value: 77n,
          gasLimit: 21_000n,
          maxFeePerGas: 6_000_000_000n,
          maxPriorityFeePerGas: 1_000_000_000n,
        });
        const sent = await send({ kind: "Transaction", transaction: own.unsignedSerialized });
        expect(sent.status).toBe("Confirmed");
        expect((await onChain(sent)).unsignedSerialized).toBe(own.unsignedSerialized);
        expect(await cluster.chain.balance(to)).toBe(77n);
      });
    });

    describe("a transfer of a collectible", () => {
      it("gives this very token to its receiver", async () => {
        const to = freshReceiver();
        const body = { kind: "Erc721", contract: collectible, to, tokenId: "3" } as const;
        const asked = await cluster.api.transfer(wallet.id, body);
        await cluster.api.confirmed(asked, PATIENCE_MS);
        expect(await ownerOf(3n)).toBe(to);
        const shown = await cluster.api.send("GET", `/wallets/${wallet.id}/transfers/${asked.id}`);
        expect(shown.body).toHaveProperty("metadata", { asset: {} });
      });
    });

    describe("INV-4 of requests with one account nonce one lands", () => {
      beforeAll(() => cluster.chain.holdBlocks());
      afterAll(() => cluster.chain.releaseBlocks());

      /** A transfer that waits for a block. */
      const waiting = async (to: string): Promise<ApiTransfer> => {
        const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to, amount: "5" });
        return cluster.api.follow(asked, ({ status }) => status === "Broadcasted", PATIENCE_MS);
      };
      const sent = (transaction: ApiTransaction): Promise<ApiTransaction> =>
        cluster.api.followTransaction(transaction, broadcasted, PATIENCE_MS);
      /** Makes a block, and returns how both requests ended. */
      const landed = async (first: ApiTransfer, second: ApiTransaction) => {
        await cluster.chain.mine();
        const won = await cluster.api.followTransaction(second, settled, PATIENCE_MS);
        const lost = await cluster.api.follow(first, ({ status }) => status === "Failed", PATIENCE_MS);
        return { won, lost };
      };

      it("and it is the faster one after a speed-up", async () => {
        const to = freshReceiver();
        const first = await waiting(to);
        const second = await sent(await cluster.api.replace(first, "speed-up"));
        const { won, lost } = await landed(first, second);
        expect([won.status, lost.reason]).toEqual(["Confirmed", expect.stringContaining(second.id)]);
        expect(await cluster.chain.balance(to)).toBe(5n);
      });

      it("and nothing moves after a cancellation", async () => {
        const to = freshReceiver();
        const first = await waiting(to);
        const second = await sent(await cluster.api.replace(first, "cancel"));
        const { won } = await landed(first, second);
        expect(won.status).toBe("Confirmed");
        expect(await cluster.chain.balance(to)).toBe(0n);
        expect((await onChain(won)).to).toBe(wallet.address);
      });

      it("and it is the caller's own, when he names the nonce and pays more", async () => {
        const [to, instead] = [freshReceiver(), freshReceiver()];
        const first = await waiting(to);
        const { nonce } = await onChain(first);
        const body = { kind: "Eip1559", to: instead, value: "9", nonce, maxFeePerGas: "90000000000" };
        const low = await cluster.api.send("POST", `/wallets/${wallet.id}/transactions`, {
          ...body,
          maxFeePerGas: "1",
        });
        expect(low).toMatchObject({
          status: 400,
          body: { error: { details: { code: "ReplacementUnderpriced" } } },
        });
        const second = await sent(await cluster.api.transaction(wallet.id, body));
        const { won } = await landed(first, second);
        expect([won.status, await cluster.chain.balance(to), await cluster.chain.balance(instead)]).toEqual([
          "Confirmed",
          0n,
          9n,
        ]);
      });
    });
  });
};
