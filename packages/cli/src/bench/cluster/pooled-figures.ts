import type { ApiWallet, Cluster } from "@conclave/testbed";
import type { Figure } from "../figure.ts";
import { runSession } from "../last-word.ts";
import type { Tell } from "../progress.ts";
import { keepBusy, takeSamples, timed } from "../sampling.ts";
import { quantile } from "../statistics.ts";
import { directSigning } from "./direct-signing.ts";
import type { SignerLink, SignerLinks } from "./signer-links.ts";
import { cpuOf } from "./signing-figures.ts";

/** spent before anything is counted: the compiler has to see the online round some times */
const WARM_UP = 20;
/** of one set, as many as may wait nearly */
const PRESIGNATURES = 30;
/** half of them are spent one after the other, half so many at a time */
const IN_FLIGHT = 8;
const LIMIT_MS = 60_000;
const SESSION_MS = 30_000;
/** one signer for one signature, with a presignature that is ready */
const CPU_BUDGET_MS = 10;
/** DESIGN.md: 200 pooled ECDSA signatures a second */
const EACH_BUDGET_MS = 5;

const presign = async (quorum: readonly SignerLink[], keyId: string): Promise<string> => {
  const expiresAtMs = Date.now() + SESSION_MS;
  const request = {
    kind: "presigning",
    quorum: quorum.map(({ index }) => index),
    keyId,
    expiresAtMs,
  } as const;
  const [first] = await runSession(quorum, request, (word) => word.kind === "presigned");
  if (first === undefined) throw new Error("no signer presigned");
  return first.id;
};

/** Presignatures made and spent by one quorum, asked of it over Control, one after the other. */
export const pooledFigures = async (
  cluster: Cluster,
  links: SignerLinks,
  wallet: ApiWallet,
  tell: Tell,
): Promise<readonly Figure[]> => {
  const quorum = links.all.slice(0, cluster.description.threshold);
  const ids = quorum.map(({ id }) => id);
  const perSigner = (cpuMs: number, count: number): number => cpuMs / count / quorum.length;
  const makeOne = () => timed(() => presign(quorum, wallet.signingKey.id));
  const sign = await directSigning(cluster, wallet, quorum);
  for (const { result } of await takeSamples(
    { what: "presignatures to warm up with", count: WARM_UP, limitMs: LIMIT_MS },
    tell,
    makeOne,
  )) {
    await sign(result);
  }
  const presigning = { what: "presignatures", count: PRESIGNATURES, limitMs: LIMIT_MS };
  const atStart = await cpuOf(links, ids);
  const made = await takeSamples(presigning, tell, makeOne);
  const afterPresigning = await cpuOf(links, ids);
  const ready = made.map(({ result }) => result);
  const spendOne = () => sign(ready.shift());
  const alone = await keepBusy(spendOne, 1, { ms: LIMIT_MS, count: Math.ceil(made.length / 2) });
  const together = await keepBusy(spendOne, IN_FLIGHT, { ms: LIMIT_MS, count: ready.length });
  const afterSigning = await cpuOf(links, ids);
  tell(`signatures from the pool: ${made.length} taken`);
  const { taken } = alone;
  const each = together.ms / together.taken.length;
  return [
    {
      name: "presignature.p50",
      unit: "ms",
      label: "presignature for the pool, p50",
      value: quantile(
        made.map(({ ms }) => ms),
        0.5,
      ),
      note: `${made.length} by ${ids.join(", ")} over Control, each durable at all of them`,
    },
    {
      name: "presignature.cpu",
      unit: "ms",
      label: "CPU of one signer for one presignature",
      value: perSigner(afterPresigning - atStart, made.length),
      note: "the whole process, masks made between sessions included",
    },
    {
      name: "signature.pooled.p50",
      unit: "ms",
      label: "signature from a ready presignature, p50",
      value: quantile(taken, 0.5),
      note: `${taken.length} signatures over Control`,
    },
    {
      name: "signature.pooled.p99",
      unit: "ms",
      label: "signature from a ready presignature, p99",
      value: quantile(taken, 0.99),
    },
    {
      name: "signature.pooled.cpu",
      unit: "ms",
      label: "CPU of one signer for one of them",
      value: perSigner(afterSigning - afterPresigning, made.length),
      budget: CPU_BUDGET_MS,
      note: `the whole process: authorisation, transaction, tombstone, one round, gRPC; after ${WARM_UP} that were not counted`,
    },
    {
      name: "signature.pooled.each",
      unit: "ms",
      label: "signatures from ready presignatures of a cluster at work, time for each",
      value: each,
      budget: EACH_BUDGET_MS,
      note: `${(1000 / each).toFixed(0)} a second: ${together.taken.length} signatures, ${IN_FLIGHT} at a time over Control`,
    },
  ];
};
