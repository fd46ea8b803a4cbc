/** Writes, parses and verifies sign-in messages (EIP-4361). */
import type { WalletMessage } from '../wallet.ts';

/** The cryptography of wallet sign-in. */
export interface WalletVerifier {
  /** Returns the text to sign, or null if the address is not valid. */
  formatMessage(message: WalletMessage): Promise<string | null>;
  /** Returns null if the text is not a sign-in message. */
  parseMessage(text: string): Promise<WalletMessage | null>;
  /** Returns true if the address signed this text: with its key, or as a contract if a chain can be queried. */
  verifySignature(text: string, signature: string, address: string): Promise<boolean>;
}
