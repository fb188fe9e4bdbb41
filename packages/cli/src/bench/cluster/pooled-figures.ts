import type { ApiWallet, Cluster } from "@conclave/testbed";
import type { Figure } from "../figure.ts";
import { runSession } from "../last-word.ts";
import type { Report } from "../progress.ts";
import { keepBusy, takeSamples, timed } from "../sampling.ts";
import { quantile } from "../statistics.ts";
import { directSigning } from "./direct-signing.ts";
import type { BenchedLink, SignerLinks } from "./signer-links.ts";
import { cpuOf } from "./signing-figures.ts";

/** presignatures used before anything is counted, so that the code of the online round is compiled */
const WARM_UP = 20;
/** presignatures of one set of signers, nearly the maximum that may wait */
const PRESIGNATURES = 30;
/** half of the presignatures are used one at a time, the other half this many at a time */
const IN_FLIGHT = 8;
const LIMIT_MS = 60_000;
const SESSION_MS = 30_000;
/** CPU of one signer for one signature from a ready presignature */
const CPU_BUDGET_MS = 10;
/** DESIGN.md: 200 pooled ECDSA signatures a second */
const EACH_BUDGET_MS = 5;

const presign = async (quorum: readonly BenchedLink[], keyId: string): Promise<string> => {
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

interface Pooled {
  /** ids of the quorum's signers */
  readonly ids: readonly string[];
  /** of each presignature, in milliseconds */
  readonly presigned: readonly number[];
  /** of each signature that was requested alone, in milliseconds */
  readonly signed: readonly number[];
  /** how many signatures were requested IN_FLIGHT at a time, and how long all of them took */
  readonly together: { readonly count: number; readonly ms: number };
  /** of all signers of the quorum, in milliseconds */
  readonly cpu: { readonly presigning: number; readonly signing: number };
}

const measure = async (
  cluster: Cluster,
  links: SignerLinks,
  wallet: ApiWallet,
  report: Report,
): Promise<Pooled> => {
  const quorum = links.all.slice(0, cluster.description.threshold);
  const ids = quorum.map(({ id }) => id);
  const makeOne = () => timed(() => presign(quorum, wallet.signingKey.id));
  const sign = await directSigning(cluster, wallet, quorum);
  const warming = { what: "presignatures to warm up with", count: WARM_UP, limitMs: LIMIT_MS };
  for (const { result } of await takeSamples(warming, report, makeOne)) await sign(result);
  const presigning = { what: "presignatures", count: PRESIGNATURES, limitMs: LIMIT_MS };
  const atStart = await cpuOf(links, ids);
  const made = await takeSamples(presigning, report, makeOne);
  const afterPresigning = await cpuOf(links, ids);
  const ready = made.map(({ result }) => result);
  const spendOne = () => sign(ready.shift());
  const alone = await keepBusy(spendOne, 1, { ms: LIMIT_MS, count: Math.ceil(made.length / 2) });
  const together = await keepBusy(spendOne, IN_FLIGHT, { ms: LIMIT_MS, count: ready.length });
  const afterSigning = await cpuOf(links, ids);
  report(`signatures from the pool: ${made.length} taken`);
  return {
    ids,
    presigned: made.map(({ ms }) => ms),
    signed: alone.taken,
    together: { count: together.taken.length, ms: together.ms },
    cpu: { presigning: afterPresigning - atStart, signing: afterSigning - afterPresigning },
  };
};

/** Measures presignatures that one quorum makes one at a time, and the signatures from them, requested over Control. */
export const pooledFigures = async (
  cluster: Cluster,
  links: SignerLinks,
  wallet: ApiWallet,
  report: Report,
): Promise<readonly Figure[]> => {
  const { ids, presigned, signed, together, cpu } = await measure(cluster, links, wallet, report);
  const perSigner = (cpuMs: number): number => cpuMs / presigned.length / ids.length;
  const each = together.ms / together.count;
  return [
    {
      name: "presignature.p50",
      unit: "ms",
      label: "presignature for the pool, p50",
      value: quantile(presigned, 0.5),
      note: `${presigned.length} by ${ids.join(", ")} over Control, each ready at all of them`,
    },
    {
      name: "presignature.cpu",
      unit: "ms",
      label: "CPU of one signer for one presignature",
      value: perSigner(cpu.presigning),
      note: "the whole process, masks made between sessions included",
    },
    {
      name: "signature.pooled.p50",
      unit: "ms",
      label: "signature from a ready presignature, p50",
      value: quantile(signed, 0.5),
      note: `${signed.length} signatures over Control`,
    },
    {
      name: "signature.pooled.p99",
      unit: "ms",
      label: "signature from a ready presignature, p99",
      value: quantile(signed, 0.99),
    },
    {
      name: "signature.pooled.cpu",
      unit: "ms",
      label: "CPU of one signer for one of them",
      value: perSigner(cpu.signing),
      budget: CPU_BUDGET_MS,
      note: `the whole process: authorisation, transaction, tombstone, one round, gRPC; after ${WARM_UP} that were not counted`,
    },
    {
      name: "signature.pooled.each",
      unit: "ms",
      label: "signatures from ready presignatures of a cluster at work, time for each",
      value: each,
      budget: EACH_BUDGET_MS,
      note: `${(1000 / each).toFixed(0)} a second: ${together.count} signatures, ${IN_FLIGHT} at a time over Control`,
    },
  ];
};
