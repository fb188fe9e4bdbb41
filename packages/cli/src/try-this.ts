import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BannerDescription } from "./banner-description.ts";
import { shellWord } from "./shell-word.ts";

/** An arbitrary address; nobody needs its key. */
const SOMEBODY = "0x00000000000000000000000000000000c0ffee00";
const ONE_ETHER_HEX = "0xde0b6b3a7640000";
const A_THOUSANDTH = "1000000000000000";

const fund = (rpcUrl: string): string =>
  `curl -sS ${rpcUrl} -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"anvil_setBalance","params":["'"$address"'","${ONE_ETHER_HEX}"]}'; echo`;

/**
 * Makes lines for a POSIX shell: they create a wallet, fund it, send a transfer, and poll it until it is settled. They need only curl and
 * node.
 */
export const tryThis = ({
  api,
  chain,
  developer,
}: Pick<BannerDescription, "api" | "chain" | "developer">): readonly string[] => [
  `API=${api.url}`,
  `TOKEN=$(cat ${shellWord(developer.tokenFile)})`,
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

/** Writes the lines as a script into the cluster's folder. @returns its path */
export const writeTryThis = (description: BannerDescription): string => {
  const file = join(description.state, "try-this.sh");
  writeFileSync(file, ["#!/bin/sh", ...tryThis(description), ""].join("\n"), { mode: 0o600 });
  return file;
};
