package feeds

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"os"
)

// spooled is a document as it was sent, on the disk: whether it is another one
// than the last is known before anything of it is unpacked or looked at.
type spooled struct {
	*os.File
	digest string
	isCut  bool // the line was cut before its end
}

// errSpool is a failure of our own disk. No publisher is to blame for it.
var errSpool = errors.New("the document of a feed cannot be kept on the disk")

// spool takes a document down. Errors: errSpool, or that of the reader. The file
// has no name anymore when it is given back, so nothing of it outlasts the process.
func (a *Incoming) spool(in io.Reader) (*spooled, error) {
	file, err := os.CreateTemp(a.FeedFolder, ".feed-*")
	if err == nil {
		err = os.Remove(file.Name())
	}
	if err != nil {
		return nil, errors.Join(errSpool, err)
	}
	sum, out := sha256.New(), &spooled{File: file}
	_, err = io.Copy(io.MultiWriter(sum, onDisk{file}), in)
	if out.isCut = errors.Is(err, io.ErrUnexpectedEOF); out.isCut {
		err = nil
	}
	if err == nil {
		if _, err = file.Seek(0, io.SeekStart); err != nil {
			err = errors.Join(errSpool, err)
		}
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	out.digest = base64.RawStdEncoding.EncodeToString(sum.Sum(nil))
	return out, nil
}

// onDisk marks failures of the disk.
type onDisk struct{ io.Writer }

func (d onDisk) Write(p []byte) (int, error) {
	n, err := d.Writer.Write(p)
	if err != nil {
		err = errors.Join(errSpool, err)
	}
	return n, err
}
