import type { ClusterDescription } from "@conclave/testbed";

/** An arbitrary address; nobody needs its key. */
const SOMEBODY = "0x00000000000000000000000000000000c0ffee00";
const ONE_ETHER_HEX = "0xde0b6b3a7640000";
const A_THOUSANDTH = "1000000000000000";

const fund = (rpcUrl: string): string =>
  `curl -sS ${rpcUrl} -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"anvil_setBalance","params":["'"$address"'","${ONE_ETHER_HEX}"]}'; echo`;

/**
 * Makes lines to paste into a POSIX shell: they create a wallet, fund it, send a transfer, and poll it until it is
 * settled. They need only curl and node.
 */
export const tryThis = ({ api, chain, developer }: ClusterDescription): readonly string[] => [
  `API=${api.url}`,
  `TOKEN=${developer.token}`,
  `ask() { curl -sS "$API$1" -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \${2:+-d "$2"}; }`,
  `field() { node -pe 'JSON.parse(require("fs").readFileSync(0, "utf8"))[process.argv[1]]' "$1"; }`,
  `wallet=$(ask /wallets '{"network":"${chain.network}","name":"first"}'); echo "$wallet"`,
  `id=$(echo "$wallet" | field id); address=$(echo "$wallet" | field address)`,
  chain.development
    ? fund(chain.rpcUrl)
    : `echo "send some test ether to $address, then press enter"; read answer`,
  `transfer=$(ask "/wallets/$id/transfers" '{"kind":"Native","to":"${SOMEBODY}","amount":"${A_THOUSANDTH}"}' | field id)`,
  `state=Pending; while case "$state" in Pending|Executing|Broadcasted) true;; *) false;; esac; do sleep 1; state=$(ask "/wallets/$id/transfers/$transfer" | field status); echo "$state"; done`,
  `ask "/wallets/$id/transfers/$transfer"; echo`,
];
