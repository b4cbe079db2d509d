// Package secret holds what is derived from the server key (encrypted texts, the
// key's fingerprint) and the opaque tokens that people, devices, and emails carry.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
)

// Key is the server key of an installation (32 bytes): whatever is sealed or
// derived is so with a key of its own, made of this one.
type Key []byte

// Fingerprint tells keys apart and gives nothing of them away.
func (k Key) Fingerprint() string {
	b, err := hkdf.Key(sha256.New, k, nil, "lightbar key fingerprint 1", 16)
	if err != nil {
		panic("secret: fingerprint: " + err.Error()) // only for impossible lengths
	}
	return hex.EncodeToString(b)
}

// Seal encrypts text for the database (AES-256-GCM, key derived by purpose); id
// is authenticated with it.
func (k Key) Seal(purpose, id string, text []byte) (string, error) {
	box, err := k.boxOf(purpose)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce) // crypto/rand never fails
	return base64.RawStdEncoding.EncodeToString(box.Seal(nonce, nonce, text, []byte(id))), nil
}

// ErrSealed says that a text was altered, or sealed for another id or by another key.
var ErrSealed = errors.New("secret: a sealed text cannot be opened: it was altered or belongs to another server key")

// Open is what Seal hid. Refusals are ErrSealed.
func (k Key) Open(purpose, id, sealed string) ([]byte, error) {
	box, err := k.boxOf(purpose)
	if err != nil {
		return nil, err
	}
	raw, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil || len(raw) < box.NonceSize() {
		return nil, ErrSealed
	}
	text, err := box.Open(nil, raw[:box.NonceSize()], raw[box.NonceSize():], []byte(id))
	if err != nil {
		return nil, ErrSealed
	}
	return text, nil
}

// Name is a name for something that nobody can guess or trace without the key,
// the same each time (HMAC-SHA-256, key derived by purpose; 24 hexadecimal digits).
func (k Key) Name(purpose, of string) string {
	key, err := hkdf.Key(sha256.New, k, []byte(purpose), "name", 32)
	if err != nil {
		panic("secret: name: " + err.Error()) // only for impossible lengths
	}
	sum := hmac.New(sha256.New, key)
	_, _ = sum.Write([]byte(of)) // a hash never fails
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

func (k Key) boxOf(purpose string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, k, []byte(purpose), "", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
