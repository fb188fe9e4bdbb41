import { attachSignatures, EVM_FAMILY } from "@conclave/chains/evm";
import { SEPOLIA, TEST_SECRET_KEY, testAccount } from "@conclave/chains/testing";
import { type ChainRequestEvent, transactionIdSchema, transferIdSchema } from "@conclave/custody";
import { changeChainRequest, lockChainRequest } from "@conclave/platform";
import { expect } from "vitest";
import { z } from "zod";
import type { World } from "./world.ts";

const requestIdSchema = z.union([transferIdSchema, transactionIdSchema]);

/**
 * Has a request of the EVM network signed and broadcast, as an orchestrator would.
 * @param unsigned RLP of the transaction that the orchestrator reports
 */
export const broadcastRequest = async (world: World, id: string, unsigned: Uint8Array): Promise<void> => {
  const transaction = Buffer.from(unsigned).toString("hex");
  const content = { kind: "transaction", network: SEPOLIA.network, transaction };
  const read = EVM_FAMILY.readContent([world.chain.network], content);
  if (!read.ok) return expect.fail(read.problem.message);
  const account = testAccount(TEST_SECRET_KEY);
  const signatures = read.value.signables.map(({ bytes }) => account.sign(bytes));
  const signed = attachSignatures(unsigned, signatures, [account.publicKey]);
  if (!signed.ok) return expect.fail(signed.problem.message);
  const events: readonly ChainRequestEvent[] = [
    { kind: "Begun" },
    {
      kind: "Built",
      sequence: 0n,
      exclusion: new Uint8Array(1),
      unsignedTransaction: unsigned,
      details: {},
    },
    {
      kind: "Signed",
      unsignedTransaction: unsigned,
      signedTransaction: signed.value.signed,
      txHash: signed.value.txHash,
    },
    { kind: "Broadcasted", date: new Date().toISOString() },
  ];
  await world.database.transaction(async (connection) => {
    for (const event of events) {
      const request = await lockChainRequest(connection, requestIdSchema.parse(id));
      if (request === undefined) return expect.fail(`${id} is gone`);
      expect((await changeChainRequest(connection, request, event)).ok).toBe(true);
    }
  });
};
