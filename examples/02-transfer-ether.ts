// A transfer: asked for, signed by any three signers, broadcast, confirmed.
import { administrator, fundedWallet, reached, SOMEBODY } from "./cluster.ts";

const client = administrator();
const { id: walletId, address } = await fundedWallet(client);
const asked = await client.wallets.transferAsset({
  walletId,
  // amounts are in the smallest unit: this is a thousandth of an ether
  body: { kind: "Native", to: SOMEBODY, amount: "1000000000000000", priority: "Standard" },
});
console.log(`${asked.id} from ${address} is ${asked.status}`);

const done = await reached("Confirmed", () => client.wallets.getTransfer({ walletId, transferId: asked.id }));
console.log(`it is ${done.status} in ${done.txHash}, for a fee of ${done.fee} wei`);
const { assets } = await client.wallets.getWalletAssets({ walletId });
for (const asset of assets) console.log(`left: ${asset.balance} of ${asset.symbol}`);
