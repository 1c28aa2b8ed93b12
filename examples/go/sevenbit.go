// Package sevenbit makes mail 7-bit safe, through the C library (capi/install.sh). It shows how, and is short enough to copy.
package sevenbit

/*
#cgo LDFLAGS: -lsevenbit
#include <stdlib.h>
#include <sevenbit.h>
*/
import "C"

import (
	"errors"
	"unsafe"
)

// Profile says how much is rewritten.
type Profile uint32

const (
	Archive   Profile = C.SEVENBIT_PROFILE_ARCHIVE
	Transport Profile = C.SEVENBIT_PROFILE_TRANSPORT
)

// Normalize returns a message in its normal form, and the codes of what was found in it. Any octets have one.
func Normalize(message []byte, profile Profile) (normal []byte, codes []string, err error) {
	// The result borrows the message, and C may keep no memory of Go's.
	octets := C.CBytes(message)
	defer C.free(octets)
	var options C.sevenbit_options
	C.sevenbit_options_init(&options, C.sizeof_sevenbit_options)
	options.profile = C.uint32_t(profile)
	var result *C.sevenbit_result
	status := C.sevenbit_normalize((*C.uint8_t)(octets), C.size_t(len(message)), &options, &result)
	if status != C.SEVENBIT_OK {
		return nil, nil, errors.New(C.GoString(C.sevenbit_status_message(status)))
	}
	defer C.sevenbit_result_free(result)
	var found C.sevenbit_octets
	C.sevenbit_result_octets(result, &found)
	normal = append([]byte{}, unsafe.Slice((*byte)(unsafe.Pointer(found.data)), int(found.length))...)
	for at := C.size_t(0); at < C.sevenbit_result_issue_count(result); at++ {
		codes = append(codes, C.GoString(C.sevenbit_result_issue(result, at).code.data))
	}
	return normal, codes, nil
}

// Read returns the text of a message as a person reads it, and everything that it says as JSON, for encoding/json: threads,
// lists, hops, reports, files; docs/cli.md lists the members.
func Read(message []byte) (text string, answers []byte, err error) {
	octets := C.CBytes(message)
	defer C.free(octets)
	var parsed *C.sevenbit_message
	status := C.sevenbit_parse((*C.uint8_t)(octets), C.size_t(len(message)), &parsed)
	if status != C.SEVENBIT_OK {
		return "", nil, errors.New(C.GoString(C.sevenbit_status_message(status)))
	}
	defer C.sevenbit_message_free(parsed)
	var buffer *C.sevenbit_buffer
	if status = C.sevenbit_message_text(parsed, &buffer); status == C.SEVENBIT_OK {
		text = string(taken(buffer))
		status = C.sevenbit_message_json(parsed, &buffer)
	}
	if status != C.SEVENBIT_OK {
		return "", nil, errors.New(C.GoString(C.sevenbit_status_message(status)))
	}
	return text, taken(buffer), nil
}

// taken returns the octets of a buffer, and frees it.
func taken(buffer *C.sevenbit_buffer) []byte {
	defer C.sevenbit_buffer_free(buffer)
	var octets C.sevenbit_octets
	C.sevenbit_buffer_octets(buffer, &octets)
	return C.GoBytes(unsafe.Pointer(octets.data), C.int(octets.length))
}
