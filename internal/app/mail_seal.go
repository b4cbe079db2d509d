package app

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
)

// sealedText encrypts text for the database (AES-256-GCM, key derived from the
// server key by purpose); id is authenticated with it.
func (a *App) sealedText(purpose, id string, text []byte) (string, error) {
	box, err := a.boxOf(purpose)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce) // crypto/rand never fails
	return base64.RawStdEncoding.EncodeToString(box.Seal(nonce, nonce, text, []byte(id))), nil
}

var errSealed = errors.New("app: a sealed text cannot be opened: it was altered or belongs to another server key")

// openedText is what sealedText hid. Refusals are errSealed.
func (a *App) openedText(purpose, id, sealed string) ([]byte, error) {
	box, err := a.boxOf(purpose)
	if err != nil {
		return nil, err
	}
	raw, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil || len(raw) < box.NonceSize() {
		return nil, errSealed
	}
	text, err := box.Open(nil, raw[:box.NonceSize()], raw[box.NonceSize():], []byte(id))
	if err != nil {
		return nil, errSealed
	}
	return text, nil
}

func (a *App) boxOf(purpose string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, a.ServerKey, []byte(purpose), "", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
