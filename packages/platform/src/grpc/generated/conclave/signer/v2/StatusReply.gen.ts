// Original file: ../../proto/conclave/signer/v2/control.proto

import type { KeyState as _conclave_signer_v2_KeyState, KeyState__Output as _conclave_signer_v2_KeyState__Output } from '../../../conclave/signer/v2/KeyState.gen.ts';
import type { SessionState as _conclave_signer_v2_SessionState, SessionState__Output as _conclave_signer_v2_SessionState__Output } from '../../../conclave/signer/v2/SessionState.gen.ts';
import type { PoolState as _conclave_signer_v2_PoolState, PoolState__Output as _conclave_signer_v2_PoolState__Output } from '../../../conclave/signer/v2/PoolState.gen.ts';
import type { NextShare as _conclave_signer_v2_NextShare, NextShare__Output as _conclave_signer_v2_NextShare__Output } from '../../../conclave/signer/v2/NextShare.gen.ts';
import type { Quarantine as _conclave_signer_v2_Quarantine, Quarantine__Output as _conclave_signer_v2_Quarantine__Output } from '../../../conclave/signer/v2/Quarantine.gen.ts';
import type { Long } from '@grpc/proto-loader';

export interface StatusReply {
  'index'?: (number);
  'id'?: (string);
  'state'?: (string);
  'parameters'?: (string);
  'auxiliaryEpoch'?: (number);
  'auxiliaryDigest'?: (Buffer | Uint8Array | string);
  'keys'?: (_conclave_signer_v2_KeyState)[];
  'sessions'?: (_conclave_signer_v2_SessionState)[];
  'cpuMicroseconds'?: (number | string | Long);
  'residentBytes'?: (number | string | Long);
  'connectedPeers'?: (number)[];
  'keyCount'?: (number);
  'pool'?: (_conclave_signer_v2_PoolState | null);
  'nextShares'?: (_conclave_signer_v2_NextShare)[];
  'pendingAuxiliary'?: (_conclave_signer_v2_NextShare)[];
  'quarantined'?: (_conclave_signer_v2_Quarantine)[];
  'clockMs'?: (number | string | Long);
}

export interface StatusReply__Output {
  'index': (number);
  'id': (string);
  'state': (string);
  'parameters': (string);
  'auxiliaryEpoch': (number);
  'auxiliaryDigest': (Buffer);
  'keys': (_conclave_signer_v2_KeyState__Output)[];
  'sessions': (_conclave_signer_v2_SessionState__Output)[];
  'cpuMicroseconds': (number);
  'residentBytes': (number);
  'connectedPeers': (number)[];
  'keyCount': (number);
  'pool': (_conclave_signer_v2_PoolState__Output | null);
  'nextShares': (_conclave_signer_v2_NextShare__Output)[];
  'pendingAuxiliary': (_conclave_signer_v2_NextShare__Output)[];
  'quarantined': (_conclave_signer_v2_Quarantine__Output)[];
  'clockMs': (number);
}
