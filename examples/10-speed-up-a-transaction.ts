// A transaction that is stuck: one with higher fees takes its place, and one of the two lands.
// speedUpTransaction came with 0.8.21 of the library; the signer of 0.8.3 works with it.
import { DfnsApiClient } from "dfns-sdk-0-8-21";
import { administrator, administratorOptions, fundedWallet, node, reached, SOMEBODY } from "./cluster.ts";

const client = new DfnsApiClient(administratorOptions());
const { id: walletId } = await fundedWallet(administrator());
const read = (transactionId: string) => () => client.wallets.getTransaction({ walletId, transactionId });

// a chain that makes no blocks: nothing lands
await node().send("evm_setIntervalMining", [0]);
try {
  const slow = await client.wallets.broadcastTransaction({
    walletId,
    body: { kind: "Evm", to: SOMEBODY, value: "1000" },
  });
  await reached("Broadcasted", read(slow.id));
  console.log(`${slow.id} waits`);
  const faster = await client.wallets.speedUpTransaction({ walletId, transactionId: slow.id });
  await reached("Broadcasted", read(faster.id));
  await node().send("evm_setIntervalMining", [1]);
  const landed = await reached("Confirmed", read(faster.id));
  const { status, replacementId } = await read(slow.id)();
  console.log(`${landed.id} is ${landed.status}; the first is ${status}, replaced by ${replacementId}`);
} finally {
  await node().send("evm_setIntervalMining", [1]);
}
