// Transactions of one's own: a contract is deployed, then called. Fees and account nonces are the service's care.
import { administrator, fundedWallet, node, reached } from "./cluster.ts";

// init code of a contract that answers 42 to whatever it is asked
const FORTY_TWO = "0x600a600c600039600a6000f3602a60005260206000f3";

const client = administrator();
const { id: walletId } = await fundedWallet(client);
const confirmed = (transactionId: string) =>
  reached("Confirmed", () => client.wallets.getTransaction({ walletId, transactionId }));

const deployment = await client.wallets.broadcastTransaction({
  walletId,
  body: { kind: "Evm", data: FORTY_TWO },
});
const { txHash = "" } = await confirmed(deployment.id);
const contract = (await node().getTransactionReceipt(txHash))?.contractAddress ?? "";
console.log(`deployed at ${contract}`);

// with fees of one's own; an Erc20 transfer needs none of this, there is transferAsset with kind "Erc20"
const call = await client.wallets.broadcastTransaction({
  walletId,
  body: { kind: "Eip1559", to: contract, data: "0x", maxFeePerGas: "20000000000" },
});
console.log(`called in ${(await confirmed(call.id)).txHash}`);
console.log(`it answers ${BigInt(await node().call({ to: contract }))}`);
