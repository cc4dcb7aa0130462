"""Tables in the stream format of Arrow, as far as fstore writes it, as DataFrames without pyarrow.

A stream is messages: -1, the length of a header, the header, a body. Headers are flatbuffers
(arrow.apache.org/docs/format/Columnar.html, "Serialization and Interprocess Communication").
"""

import struct

import numpy

_SCHEMA, _BATCH = 1, 3  # of messages
_INT, _FLOAT, _TEXT = 2, 3, 5  # of columns
# Counts are below 2⁶³. A difference of two unsigned ones would never be negative.
_TYPES = {_INT: "<i8", _FLOAT: "<f8"}


def frame(stream):
    """Returns the DataFrame of a stream: counts are int64, or float64 where some are missing, and
    missing text is empty."""
    import pandas

    columns, pieces = [], []
    for kind, header, table, body in _messages(stream):
        if kind == _SCHEMA:
            columns = list(_columns(header, table))
            pieces = [[] if of == _TEXT else [numpy.empty(0, _TYPES[of])] for _, of in columns]
        elif kind == _BATCH:
            _add_batch(pieces, columns, header, table, body)
    kinds = [of for _, of in columns]
    data = [numpy.array(p, object) if of == _TEXT else numpy.concatenate(p) for p, of in zip(pieces, kinds)]
    made = pandas.DataFrame(dict(enumerate(data)), copy=False)
    made.columns = [name for name, _ in columns]
    return made


def _messages(stream):
    """Yields the messages: what they are, the header, where its table begins, and the body."""
    while True:
        start = stream.read(8)
        if len(start) < 8:
            raise EOFError("the table has no end")
        length = _get("i", start, 4)
        if length == 0:
            return
        header = stream.read(length)
        message = _follow(header, 0)
        kind = _get("B", header, _field(header, message, 1))
        size = _field(header, message, 3)
        body = stream.read(_get("q", header, size)) if size else b""
        yield kind, header, _follow(header, _field(header, message, 2)), memoryview(body)


def _columns(header, schema):
    """Yields the name and the kind of each column."""
    for field in _vector(header, schema, 1, 4):
        field = _follow(header, field)
        name = _follow(header, _field(header, field, 0))
        yield str(header[name + 4 : name + 4 + _get("i", header, name)], "utf-8"), _get("B", header, _field(header, field, 2))


def _add_batch(pieces, columns, header, batch, body):
    nodes = [struct.unpack_from("<qq", header, at) for at in _vector(header, batch, 1, 16)]
    spans = (struct.unpack_from("<qq", header, at) for at in _vector(header, batch, 2, 16))
    buffers = (body[at : at + length] for at, length in spans)
    for parts, (_, kind), (rows, missing) in zip(pieces, columns, nodes):
        valid = next(buffers)
        if kind == _TEXT:
            parts += _texts(rows, next(buffers), next(buffers))
            continue
        numbers = numpy.frombuffer(next(buffers), _TYPES[kind], rows)
        if missing:
            there = numpy.unpackbits(numpy.frombuffer(valid, "u1"), count=rows, bitorder="little")
            numbers = numpy.where(there, numbers, numpy.nan)
        parts.append(numbers)


def _texts(rows, places, data):
    """Returns the texts of a column: a missing one has no bytes."""
    places = numpy.frombuffer(places, "<i4", rows + 1)
    text = str(data, "utf-8")
    if not text.isascii():  # places are of bytes, and are to be of characters
        further = numpy.flatnonzero(numpy.frombuffer(data, "i1") < -64)  # bytes of characters
        places = places - numpy.searchsorted(further, places)
    places = places.tolist()
    return [text[a:b] for a, b in zip(places, places[1:])]


# A table of a flatbuffer is a place in it. What it says stands where the fields before it tell.


def _get(format, data, at):
    return struct.unpack_from("<" + format, data, at)[0]


def _follow(data, at):
    return at + _get("I", data, at)


def _field(data, table, number):
    """Returns the place of a field, 0 where the table has it not."""
    fields = table - _get("i", data, table)
    if 4 + 2 * number >= _get("H", data, fields):
        return 0
    offset = _get("H", data, fields + 4 + 2 * number)
    return offset and table + offset


def _vector(data, table, number, size):
    """Returns the places of the elements of a vector."""
    at = _field(data, table, number)
    if at == 0:
        return range(0)
    at = _follow(data, at)
    return range(at + 4, at + 4 + size * _get("I", data, at), size)
