// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Authorisation as _conclave_signer_v2_Authorisation, Authorisation__Output as _conclave_signer_v2_Authorisation__Output } from '../../../conclave/signer/v2/Authorisation.gen.ts';

export interface Signing {
  'quorum'?: (number)[];
  'keyId'?: (string);
  'authorisation'?: (_conclave_signer_v2_Authorisation | null);
  'unsigned'?: (Buffer | Uint8Array | string);
  'presignatureIds'?: (string)[];
  'dead'?: (_conclave_signer_v2_Authorisation | null);
  'partFrom'?: (number);
  'partCount'?: (number);
}

export interface Signing__Output {
  'quorum': (number)[];
  'keyId': (string);
  'authorisation': (_conclave_signer_v2_Authorisation__Output | null);
  'unsigned': (Buffer);
  'presignatureIds': (string)[];
  'dead': (_conclave_signer_v2_Authorisation__Output | null);
  'partFrom': (number);
  'partCount': (number);
}
