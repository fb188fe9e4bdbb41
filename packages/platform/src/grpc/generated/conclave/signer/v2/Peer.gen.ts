// Original file: ../../proto/conclave/signer/v2/peer.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DeliverReply as _conclave_signer_v2_DeliverReply, DeliverReply__Output as _conclave_signer_v2_DeliverReply__Output } from '../../../conclave/signer/v2/DeliverReply.gen.ts';
import type { DeliverRequest as _conclave_signer_v2_DeliverRequest, DeliverRequest__Output as _conclave_signer_v2_DeliverRequest__Output } from '../../../conclave/signer/v2/DeliverRequest.gen.ts';

export interface PeerClient extends grpc.Client {
  Deliver(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_conclave_signer_v2_DeliverRequest, _conclave_signer_v2_DeliverReply__Output>;
  Deliver(options?: grpc.CallOptions): grpc.ClientDuplexStream<_conclave_signer_v2_DeliverRequest, _conclave_signer_v2_DeliverReply__Output>;
  deliver(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_conclave_signer_v2_DeliverRequest, _conclave_signer_v2_DeliverReply__Output>;
  deliver(options?: grpc.CallOptions): grpc.ClientDuplexStream<_conclave_signer_v2_DeliverRequest, _conclave_signer_v2_DeliverReply__Output>;
  
}

export interface PeerHandlers extends grpc.UntypedServiceImplementation {
  Deliver: grpc.handleBidiStreamingCall<_conclave_signer_v2_DeliverRequest__Output, _conclave_signer_v2_DeliverReply>;
  
}

export interface PeerDefinition extends grpc.ServiceDefinition {
  Deliver: MethodDefinition<_conclave_signer_v2_DeliverRequest, _conclave_signer_v2_DeliverReply, _conclave_signer_v2_DeliverRequest__Output, _conclave_signer_v2_DeliverReply__Output>
}
