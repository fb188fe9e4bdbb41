import type { EditedFile } from "../edit.ts";

const CLUSTER = "packages/cluster/src";
const SIGNER = `${CLUSTER}/signer`;
const quarantine = [`${CLUSTER}/cluster-quarantine.test.ts`];

const QUARANTINE: EditedFile = {
  path: `${SIGNER}/quarantine/quarantine.ts`,
  tests: quarantine,
  edits: [
    {
      weakens: "a proven cheat is on the disk (P15)",
      find: "return { state: burnt, effects: [write] };",
      put: "return { state: burnt, effects: [] };",
    },
    {
      weakens: "what was made with a cheat is burnt (P15)",
      find: "({ signers }) => signers.includes(culprit)",
      put: "() => false",
    },
    {
      weakens: "nothing else is burnt for a cheat",
      find: "({ signers }) => signers.includes(culprit)",
      put: "() => true",
    },
    {
      weakens: "sessions with a cheat end (P15)",
      find: "isOfQuorum(session) ? quarantinedOf(state, session.parties) : undefined",
      put: "undefined",
    },
    {
      weakens: "sessions of all signers go on without regard to quarantines",
      find: 'protocol === "presigning" || protocol === "signing";',
      put: "protocol.length > 0;",
    },
    {
      weakens: "a quarantine is lifted by the digest of its evidence",
      find: "lifted.includes(evidence)",
      put: "lifted.length > 0",
    },
    {
      weakens: "a lifted quarantine is erased",
      find: 'effects: [{ kind: "batch", puts: [], erases: erasing(culprits), sync: true }],',
      put: "effects: [],",
    },
    {
      weakens: "the first proof stands",
      find: " || state.quarantine.has(culprit)",
      put: "",
    },
    {
      weakens: "a signer does not refuse itself",
      find: "culprit === state.config.self || ",
      put: "",
    },
  ],
};

const COMPUTED: EditedFile = {
  path: `${SIGNER}/session/computed.ts`,
  tests: quarantine,
  edits: [
    {
      weakens: "nobody is in quarantine for what others cannot check (INV-7)",
      find: "cannotBeShown(fault.check) ? unchanged(state) : putInQuarantine(state, evidence, nowMs)",
      put: "putInQuarantine(state, evidence, nowMs)",
    },
    {
      weakens: "a proven cheat is on the disk before its evidence is reported (P15)",
      find: "return andThen(reported, endSessionsWithQuarantined);",
      put: "const late = andThen(reported, endSessionsWithQuarantined); return { ...late, effects: [...late.effects.slice(noted.effects.length), ...noted.effects] };",
    },
  ],
};

const MATERIAL: EditedFile = {
  path: `${SIGNER}/signing/signing-material.ts`,
  tests: [...quarantine, `${CLUSTER}/cluster-message.test.ts`],
  edits: [
    {
      weakens: "nothing is signed with a signer in quarantine (P15)",
      find: "quarantinedOf(state, members)",
      put: "quarantinedOf(state, [])",
    },
  ],
};

const RECALL: EditedFile = {
  path: `${SIGNER}/records/recall.ts`,
  tests: quarantine,
  edits: [
    {
      weakens: "a restart keeps quarantines (P15)",
      find: ".set(culprit, RECORDS.quarantine.read(stored))",
      put: "",
    },
  ],
};

const ADOPTION: EditedFile = {
  path: `${SIGNER}/auxiliary/keep-auxiliary.ts`,
  tests: quarantine,
  edits: [
    {
      weakens: "the write of new auxiliary information erases quarantines",
      find: "[...earlier.map(nameOf), ...erases]",
      put: "earlier.map(nameOf)",
    },
  ],
};

const PEER_FAULT: EditedFile = {
  path: `${CLUSTER}/coordinator/after-accusation.ts`,
  tests: [
    `${CLUSTER}/coordinator/presigning/presigning.test.ts`,
    `${CLUSTER}/coordinator/signing/signing.test.ts`,
  ],
  edits: [
    {
      weakens: "a signer that refuses a peer names one of the session",
      find: 'peer !== signer && peer === details["culprit"]',
      put: "peer !== signer",
    },
    {
      weakens: "a signer that refuses a peer is no peer of its own",
      find: 'peer !== signer && peer === details["culprit"]',
      put: 'peer === details["culprit"]',
    },
  ],
};

/** How long nothing is signed with a proven cheat. */
export const QUARANTINE_EDITS: readonly EditedFile[] = [
  QUARANTINE,
  COMPUTED,
  MATERIAL,
  RECALL,
  ADOPTION,
  PEER_FAULT,
];
