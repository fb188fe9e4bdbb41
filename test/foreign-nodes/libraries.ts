import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Cluster } from "@conclave/testbed";
import { FAMILY_DRIVERS, makeWallet } from "@conclave/testbed/families";
import { z } from "zod";
import { fundedWallet, type ServedNode } from "./cluster/served-node.ts";
import { EVM_DRIVER } from "./drivers/evm.ts";
import { onPath } from "./find.ts";
import type { ForeignDriver } from "./node.ts";
import { askJsonRpc } from "./nodes/json-rpc.ts";
import type { Reading } from "./table.ts";

const READER = fileURLToPath(new URL("python/read_signed.py", import.meta.url));
const VARIABLE = "CONCLAVE_PYTHON";
const COINS = "100";
const SATOSHIS = 100_000_000;
const NOT_SIGNED = "the signature is not the sender's";

/** A transaction that a cluster signed and a node accepted, as input for a Python library. */
interface SignedBytes {
  readonly family: string;
  readonly sender: string;
  /** hex */
  readonly signed: string;
}

interface Asked {
  readonly url: string;
}

const passphraseSchema = z.object({ network_passphrase: z.string() });
const transactionSchema = z.object({
  vin: z.array(z.object({ txid: z.string(), vout: z.int() })),
  vout: z.array(z.object({ value: z.number() })),
});

/** The amount of each input, in satoshis: signatures commit to it, but the bytes do not contain it. */
const amountsOf = async ({ url }: Asked, txHash: string): Promise<readonly number[]> => {
  const read = async (txid: string) =>
    transactionSchema.parse(await askJsonRpc(url, "getrawtransaction", [txid, true]));
  const { vin } = await read(txHash);
  return Promise.all(
    vin.map(async ({ txid, vout }) => {
      const value = (await read(txid)).vout[vout]?.value ?? 0;
      return Math.round(value * SATOSHIS);
    }),
  );
};

/** The facts that a verifier needs in addition to the bytes. */
const contextOf = async (family: string, urls: Asked, txHash: string): Promise<object> => {
  if (family === "Bitcoin") return { amounts: await amountsOf(urls, txHash) };
  if (family !== "Stellar") return {};
  const answer: unknown = await (await fetch(urls.url)).json();
  return { passphrase: passphraseSchema.parse(answer).network_passphrase };
};

interface Source {
  readonly family: string;
  readonly network: string;
  readonly driver: ForeignDriver;
}

/** One network of each family: a foreign node's if one is served, otherwise a ledger's or anvil's. */
const sourcesOf = (cluster: Cluster): readonly Source[] => [
  { family: "Evm", network: cluster.description.chain.network, driver: EVM_DRIVER },
  ...FAMILY_DRIVERS.map((driver) => ({
    family: driver.network === "XrpLedger" ? "Xrpl" : driver.network,
    network: driver.network,
    driver,
  })),
];

const signedBy = async (
  cluster: Cluster,
  served: readonly ServedNode[],
  { family, network, driver }: Source,
): Promise<SignedBytes> => {
  const foreign = served.find(({ kind }) => kind.network === network);
  const wallet =
    foreign === undefined
      ? await makeWallet(cluster, network, COINS)
      : await fundedWallet(cluster.api, foreign);
  const { txHash } = await wallet.confirmed(driver.native(2n * driver.least).body);
  const { sender, signed } = await driver.read(wallet.urls, txHash);
  const context = await contextOf(family, wallet.urls, txHash);
  return { family, sender, signed: Buffer.from(signed).toString("hex"), ...context };
};

const answerSchema = z.object({
  family: z.string(),
  library: z.string(),
  version: z.string().nullable(),
  verified: z.boolean().optional(),
  words: z.string().optional(),
});

/** Passes bytes to the libraries. @returns each library's result */
const read = async (python: string, given: readonly SignedBytes[]) => {
  const child = spawn(python, [READER], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  child.stdin.end(given.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const chunks: Uint8Array[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  await ended;
  const lines = Buffer.concat(chunks).toString().split("\n");
  return lines.filter((line) => line !== "").map((line) => answerSchema.parse(JSON.parse(line)));
};

/** How Python libraries read the bytes that this cluster signed, and a sentence for each missing library. */
export interface LibraryFindings {
  readonly readings: readonly Reading[];
  readonly absent: readonly string[];
}

/** Signs a transfer of each family, and has the installed libraries decode and verify it. */
export const tryLibraries = async (
  cluster: Cluster,
  served: readonly ServedNode[],
): Promise<LibraryFindings> => {
  const python = process.env[VARIABLE] ?? onPath("python3");
  if (python === undefined || python === "") {
    return {
      readings: [],
      absent: [`libraries of Python: no python3; set ${VARIABLE} to one that has them`],
    };
  }
  const signed: SignedBytes[] = [];
  const unsigned: Reading[] = [];
  await Promise.all(
    sourcesOf(cluster).map(async (source) => {
      try {
        signed.push(await signedBy(cluster, served, source));
      } catch (cause) {
        const found = cause instanceof Error ? cause.message : String(cause);
        unsigned.push({ library: `none, of ${source.family}`, version: "", isGood: false, found });
      }
    }),
  );
  const answers = await read(python, signed);
  const verdicts = answers.flatMap(({ library, version, family, verified = false, words }): Reading[] =>
    version === null
      ? []
      : [
          {
            library,
            version,
            isGood: verified,
            found: words ?? (verified ? family : `${family}: ${NOT_SIGNED}`),
          },
        ],
  );
  return {
    readings: [...verdicts, ...unsigned].toSorted((one, other) => one.library.localeCompare(other.library)),
    absent: answers.flatMap(({ library, version }) =>
      version === null ? [`${library}: not found; set ${VARIABLE} to a Python that has it`] : [],
    ),
  };
};
