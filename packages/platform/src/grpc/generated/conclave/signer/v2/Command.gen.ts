// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Auxiliary as _conclave_signer_v2_Auxiliary, Auxiliary__Output as _conclave_signer_v2_Auxiliary__Output } from '../../../conclave/signer/v2/Auxiliary.gen.ts';
import type { KeyGeneration as _conclave_signer_v2_KeyGeneration, KeyGeneration__Output as _conclave_signer_v2_KeyGeneration__Output } from '../../../conclave/signer/v2/KeyGeneration.gen.ts';
import type { KeyImport as _conclave_signer_v2_KeyImport, KeyImport__Output as _conclave_signer_v2_KeyImport__Output } from '../../../conclave/signer/v2/KeyImport.gen.ts';
import type { KeyExport as _conclave_signer_v2_KeyExport, KeyExport__Output as _conclave_signer_v2_KeyExport__Output } from '../../../conclave/signer/v2/KeyExport.gen.ts';
import type { KeyRefresh as _conclave_signer_v2_KeyRefresh, KeyRefresh__Output as _conclave_signer_v2_KeyRefresh__Output } from '../../../conclave/signer/v2/KeyRefresh.gen.ts';
import type { KeyReshare as _conclave_signer_v2_KeyReshare, KeyReshare__Output as _conclave_signer_v2_KeyReshare__Output } from '../../../conclave/signer/v2/KeyReshare.gen.ts';
import type { Presigning as _conclave_signer_v2_Presigning, Presigning__Output as _conclave_signer_v2_Presigning__Output } from '../../../conclave/signer/v2/Presigning.gen.ts';
import type { Signing as _conclave_signer_v2_Signing, Signing__Output as _conclave_signer_v2_Signing__Output } from '../../../conclave/signer/v2/Signing.gen.ts';
import type { Long } from '@grpc/proto-loader';

export interface Command {
  'sessionId'?: (Buffer | Uint8Array | string);
  'expiresAtMs'?: (number | string | Long);
  'auxiliary'?: (_conclave_signer_v2_Auxiliary | null);
  'keyGeneration'?: (_conclave_signer_v2_KeyGeneration | null);
  'keyImport'?: (_conclave_signer_v2_KeyImport | null);
  'keyExport'?: (_conclave_signer_v2_KeyExport | null);
  'keyRefresh'?: (_conclave_signer_v2_KeyRefresh | null);
  'keyReshare'?: (_conclave_signer_v2_KeyReshare | null);
  'presigning'?: (_conclave_signer_v2_Presigning | null);
  'signing'?: (_conclave_signer_v2_Signing | null);
  'command'?: "auxiliary"|"keyGeneration"|"keyImport"|"keyExport"|"keyRefresh"|"keyReshare"|"presigning"|"signing";
}

export interface Command__Output {
  'sessionId': (Buffer);
  'expiresAtMs': (number);
  'auxiliary'?: (_conclave_signer_v2_Auxiliary__Output | null);
  'keyGeneration'?: (_conclave_signer_v2_KeyGeneration__Output | null);
  'keyImport'?: (_conclave_signer_v2_KeyImport__Output | null);
  'keyExport'?: (_conclave_signer_v2_KeyExport__Output | null);
  'keyRefresh'?: (_conclave_signer_v2_KeyRefresh__Output | null);
  'keyReshare'?: (_conclave_signer_v2_KeyReshare__Output | null);
  'presigning'?: (_conclave_signer_v2_Presigning__Output | null);
  'signing'?: (_conclave_signer_v2_Signing__Output | null);
  'command'?: "auxiliary"|"keyGeneration"|"keyImport"|"keyExport"|"keyRefresh"|"keyReshare"|"presigning"|"signing";
}
