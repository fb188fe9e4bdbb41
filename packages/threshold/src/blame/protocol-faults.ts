import type { GroupPoint } from "../curve.ts";
import { type Scheme, withScheme } from "../scheme.ts";
import type { AttemptProtocol } from "./attempt.ts";
import { auxiliaryFault } from "./auxiliary-faults.ts";
import { importFault } from "./import-faults.ts";
import { keyGenerationFault } from "./key-generation-faults.ts";
import { presigningFault } from "./presigning-faults.ts";
import { keyChangeFault } from "./redistribution-faults.ts";
import { notShown, type SignedRecord } from "./signed-record.ts";
import { frostFault, partialSignatureFault } from "./signing-faults.ts";

/** The prefixes of checks' names, each with the protocols that make such checks. */
const PREFIXES = {
  aux: ["auxiliary"],
  keygen: ["key-generation"],
  import: ["key-import"],
  refresh: ["key-refresh"],
  reshare: ["key-reshare"],
  presign: ["presigning", "signing"],
  sign: ["signing", "pooled-signing"],
  frost: ["signing"],
} as const satisfies Record<string, readonly AttemptProtocol[]>;

type Prefix = keyof typeof PREFIXES;

const NAME = /^(aux|keygen|import|refresh|reshare|presign|sign|frost)\/(\d) /;

const isPrefix = (text: string | undefined): text is Prefix =>
  text !== undefined && Object.hasOwn(PREFIXES, text);

const faultIn = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  record: SignedRecord,
  prefix: Prefix,
  round: number,
  check: string,
): string | undefined => {
  switch (prefix) {
    case "aux":
      return auxiliaryFault(record, round, check);
    case "keygen":
      return keyGenerationFault(scheme, record, round);
    case "import":
      return importFault(scheme, record, round, check);
    case "refresh":
    case "reshare":
      return keyChangeFault(scheme, record, round);
    case "presign":
      return presigningFault(record, round);
    case "sign":
      return partialSignatureFault(record);
    case "frost":
      return frostFault(scheme, record, round);
  }
};

/** Whether a session of this protocol and scheme makes checks of this prefix. */
const isMadeIn = ({ attempt: { protocol, scheme } }: SignedRecord, prefix: Prefix): boolean => {
  const protocols: readonly AttemptProtocol[] = PREFIXES[prefix];
  if (!protocols.includes(protocol)) return false;
  if (prefix === "frost") return scheme !== "CGGMP24";
  return prefix === "presign" || prefix === "sign" ? scheme === "CGGMP24" : true;
};

/** The check that the accused fails in a protocol's own round, as a list of at most one. */
export const protocolFaultsOf = (record: SignedRecord, check: string): readonly string[] => {
  const [, prefix, round] = NAME.exec(check) ?? [];
  if (!isPrefix(prefix) || round === undefined)
    return notShown(`no third party can repeat the check "${check}"`);
  if (!isMadeIn(record, prefix))
    return notShown(`a session for ${record.attempt.protocol} has no such check`);
  const fault = withScheme(record.attempt.scheme, (scheme) =>
    faultIn(scheme, record, prefix, Number(round), check),
  );
  return fault === undefined ? [] : [fault];
};
